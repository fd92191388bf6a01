package weft.conformance;

import java.util.List;
import weft.backend.KvType;
import weft.conformance.Rig.Layout;
import weft.ir.Bin;
import weft.ir.DType;
import weft.ir.Fn;
import weft.ir.Op;
import weft.quant.Encodings;

/** Rows of numbers that a step brings beside its tokens, and values of fewer bits. */
final class InputRows {
  private InputRows() {}

  static List<Row> all() {
    return List.of(besideTokens(), projected(), casts());
  }

  /** As an image's features take the place of some tokens' embeddings. */
  private static Row besideTokens() {
    var rig = new Rig();
    for (int width : List.of(1, 13, 65)) {
      var features = rig.input("features " + width, width);
      var kept = rig.add(new Op.Map(Fn.SIGMOID, rig.input("kept " + width, 1)));
      var masked = rig.add(new Op.Zip(Bin.MUL, rig.rows(width, Layout.WHOLE), kept));
      rig.output("sum " + width, rig.add(new Op.Zip(Bin.ADD, masked, features)));
      rig.output("wanted " + width, rig.add(new Op.Rows(features, rig.wanted())));
      rig.output("given " + width, features);
    }
    return rig.row("inputs beside tokens", Script.LONG);
  }

  private static Row projected() {
    var rig = new Rig();
    var hidden = rig.input("hidden", 256);
    for (var encoding : List.of(Encodings.F32, Encodings.Q8_0, Encodings.Q4_K)) {
      var w = rig.matrix(encoding, 24, 256);
      rig.output(encoding.name(), rig.add(new Op.Linear(hidden, w)));
    }
    var heads = rig.add(new Op.Heads(hidden, 4));
    var cut = rig.add(new Op.Slice(heads, 3, 40));
    rig.output("cut heads", rig.add(new Op.Scale(cut, 2)));
    rig.output("merged", rig.add(new Op.Merge(cut)));
    return rig.row("inputs", Script.LONG, KvType.F32, Exactness.ACTIVATIONS_AS_BYTES);
  }

  private static Row casts() {
    var rig = new Rig();
    for (var type : List.of(DType.F16, DType.BF16)) {
      for (var layout : Layout.values()) {
        // A third is in none of the formats, so that every one of them rounds.
        var x = rig.add(new Op.Scale(rig.rows(33, layout), 1 / 3f));
        var narrow = rig.add(new Op.Cast(x, type));
        rig.output(type + " " + layout, rig.add(new Op.Cast(narrow, DType.F32)));
        var other = type == DType.F16 ? DType.BF16 : DType.F16;
        var twice = rig.add(new Op.Cast(rig.add(new Op.Cast(narrow, other)), DType.F32));
        rig.output("twice " + type + " " + layout, rig.add(new Op.Scale(twice, 2)));
      }
    }
    rig.output("the same", rig.add(new Op.Cast(rig.rows(7, Layout.PART), DType.F32)));
    return rig.row("casts", Script.LONG);
  }
}
