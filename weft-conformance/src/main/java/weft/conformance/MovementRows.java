package weft.conformance;

import java.util.ArrayList;
import java.util.List;
import weft.conformance.Rig.Layout;
import weft.ir.Bin;
import weft.ir.Op;
import weft.ir.Value;
import weft.quant.Encodings;

/** Heads, merges, slices, concatenations and gathers, of values in every layout. */
final class MovementRows {
  private MovementRows() {}

  static List<Row> all() {
    return List.of(renamings(), concatenations(), gathers());
  }

  private static Row renamings() {
    var rig = new Rig();
    for (var layout : Layout.values()) {
      var x = rig.rows(39, layout);
      var heads = rig.add(new Op.Heads(x, 3));
      rig.output("heads " + layout, heads);
      rig.output("slice " + layout, rig.add(new Op.Slice(x, 5, 38)));
      rig.output("merge " + layout, rig.add(new Op.Merge(heads)));
      var half = rig.add(new Op.Slice(heads, 6, 13));
      rig.output("merged halves " + layout, rig.add(new Op.Merge(half)));
      rig.output("sliced halves " + layout, rig.add(new Op.Scale(half, 2)));
      var quarters = rig.add(new Op.Heads(rig.add(new Op.Slice(heads, 1, 13)), 4));
      rig.output("heads of heads " + layout, rig.add(new Op.Scale(quarters, 2)));
    }
    // A slice of a weight has no buffer to be a view of.
    var w = rig.add(new Op.Slice(rig.weight(Encodings.F16, 0, 1, 9), 2, 7));
    rig.output("a sliced weight", rig.add(new Op.Zip(Bin.MUL, rig.rows(5, Layout.PART), w)));
    return rig.row("renamings", Script.LONG);
  }

  private static Row concatenations() {
    var rig = new Rig();
    var parts = new ArrayList<Value>();
    for (int width : List.of(1, 3, 13, 33, 65)) {
      parts.add(rig.rows(width, Layout.PART));
      rig.output("concat to " + width, rig.add(new Op.Concat(parts)));
    }
    var x = rig.rows(13, Layout.WHOLE);
    rig.output("itself", rig.add(new Op.Concat(List.of(x, x, x))));
    var heads = rig.heads(3, 13, Layout.PART);
    rig.output("heads", rig.add(new Op.Concat(List.of(heads, rig.cutHeads(3, 7), heads))));
    return rig.row("concatenations", Script.LONG);
  }

  private static Row gathers() {
    var rig = new Rig();
    for (int width : List.of(1, 3, 33, 1033)) {
      for (var layout : Layout.values()) {
        var gathered = rig.add(new Op.Rows(rig.rows(width, layout), rig.wanted()));
        rig.output("rows " + width + " " + layout, gathered);
      }
    }
    rig.output("heads", rig.add(new Op.Rows(rig.heads(3, 13, Layout.PART), rig.wanted())));
    rig.output("cut heads", rig.add(new Op.Rows(rig.cutHeads(3, 13), rig.wanted())));
    for (var encoding : List.of(Encodings.F32, Encodings.BF16, Encodings.Q8_0, Encodings.Q4_K)) {
      var wanted = rig.add(new Op.Rows(rig.rows(256, Layout.PART), rig.wanted()));
      var w = rig.matrix(encoding, 48, 256);
      rig.output(
          "a product of the wanted rows " + encoding.name(), rig.add(new Op.Linear(wanted, w)));
    }
    return rig.row("gathers", Script.LONG);
  }
}
