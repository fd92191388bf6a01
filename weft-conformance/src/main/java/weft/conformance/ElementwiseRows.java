package weft.conformance;

import java.util.ArrayList;
import java.util.List;
import weft.conformance.Rig.Layout;
import weft.ir.Bin;
import weft.ir.Fn;
import weft.ir.Op;
import weft.ir.Value;
import weft.quant.Encodings;

/** Map, zip, scale, glu and softcap: every function, spread in every way. */
final class ElementwiseRows {
  private static final List<Integer> WIDTHS = List.of(1, 3, 13, 33, 65, 207);

  /** More than one chunk of a row, however a backend cuts it. */
  private static final int WIDE = 1033;

  private ElementwiseRows() {}

  static List<Row> all() {
    var rows = new ArrayList<Row>();
    for (var fn : Fn.values()) rows.add(functions(fn));
    for (var bin : Bin.values()) rows.add(pairs(bin));
    rows.add(scales());
    return rows;
  }

  private static Row functions(Fn fn) {
    var rig = new Rig();
    for (int width : WIDTHS) {
      for (var layout : Layout.values()) {
        // Five times as wide as activations are, for the tails of the functions.
        var x = rig.add(new Op.Scale(rig.rows(width, layout), 5));
        var y = rig.rows(width, layout);
        rig.output("map " + width + " " + layout, rig.add(new Op.Map(fn, rig.rows(width, layout))));
        rig.output("map 5x " + width + " " + layout, rig.add(new Op.Map(fn, x)));
        rig.output("glu " + width + " " + layout, rig.add(new Op.Glu(fn, x, y)));
      }
    }
    rig.output("map wide", rig.add(new Op.Map(fn, rig.rows(WIDE, Layout.PART))));
    rig.output("map heads", rig.add(new Op.Map(fn, rig.heads(3, 13, Layout.PART))));
    rig.output("map cut heads", rig.add(new Op.Map(fn, rig.cutHeads(3, 13))));
    var gate = rig.heads(3, 13, Layout.WHOLE);
    rig.output("glu heads", rig.add(new Op.Glu(fn, gate, rig.heads(3, 13, Layout.PART))));
    rig.output("glu cut heads", rig.add(new Op.Glu(fn, gate, rig.cutHeads(3, 13))));
    return rig.row("functions " + fn, Script.SHORT);
  }

  private static Row pairs(Bin bin) {
    var rig = new Rig();
    for (int width : WIDTHS) {
      var a = rig.rows(width, Layout.WHOLE);
      var part = rig.rows(width, Layout.PART);
      zip(rig, bin, "same " + width, a, positive(rig, part));
      zip(rig, bin, "same part " + width, part, positive(rig, a));
      zip(rig, bin, "itself " + width, positive(rig, a), positive(rig, a));
      zip(rig, bin, "vector " + width, part, rig.weight(Encodings.F32, 2, 1, width));
      zip(rig, bin, "half vector " + width, a, rig.weight(Encodings.F16, 2, 1, width));
      zip(rig, bin, "one number " + width, a, rig.weight(Encodings.F32, 2, 1, 1));
      zip(rig, bin, "a column " + width, part, positive(rig, rig.rows(1, Layout.PART)));
    }
    var heads = rig.heads(3, 13, Layout.PART);
    var cut = rig.cutHeads(3, 13);
    zip(rig, bin, "heads", heads, positive(rig, rig.heads(3, 13, Layout.WHOLE)));
    zip(rig, bin, "cut heads", cut, positive(rig, heads));
    zip(rig, bin, "by cut heads", heads, positive(rig, cut));
    zip(rig, bin, "a vector over heads", heads, rig.weight(Encodings.F32, 2, 1, 13));
    zip(rig, bin, "a vector over cut heads", cut, rig.weight(Encodings.F32, 2, 1, 13));
    zip(rig, bin, "one a head", heads, positive(rig, rig.heads(3, 1, Layout.PART)));
    zip(rig, bin, "one a cut head", heads, positive(rig, rig.cutHeads(3, 1)));
    zip(rig, bin, "wide", rig.rows(WIDE, Layout.PART), rig.weight(Encodings.F32, 2, 1, WIDE));
    zip(
        rig,
        bin,
        "constant",
        rig.rows(3, Layout.WHOLE),
        rig.add(new Op.Constant(List.of(2f, -3f, .5f))));
    // Known at load: a setup launch, whose result a step reads.
    var table =
        zipped(
            rig,
            bin,
            rig.add(new Op.Constant(List.of(2f, -3f, .5f))),
            rig.weight(Encodings.F32, 2, 1, 3));
    zip(rig, Bin.MUL, "made at load", rig.rows(3, Layout.WHOLE), table);
    return rig.row("pairs " + bin, Script.SHORT);
  }

  /** Away from zero, where a quotient would amplify the last bit. */
  private static Value positive(Rig rig, Value x) {
    return rig.add(new Op.Map(Fn.EXP, x));
  }

  private static void zip(Rig rig, Bin bin, String name, Value a, Value b) {
    rig.output(name, zipped(rig, bin, a, b));
  }

  private static Value zipped(Rig rig, Bin bin, Value a, Value b) {
    return rig.add(new Op.Zip(bin, a, b));
  }

  private static Row scales() {
    var rig = new Rig();
    for (int width : WIDTHS) {
      for (var layout : Layout.values()) {
        var x = rig.rows(width, layout);
        rig.output("scale " + width + " " + layout, rig.add(new Op.Scale(x, -0.7f)));
        var large = rig.add(new Op.Scale(x, 50));
        rig.output("softcap " + width + " " + layout, rig.add(new Op.SoftCap(large, 30)));
      }
    }
    rig.output("scale cut heads", rig.add(new Op.Scale(rig.cutHeads(3, 13), 3)));
    rig.output("softcap cut heads", rig.add(new Op.SoftCap(rig.cutHeads(3, 13), 0.5f)));
    rig.output("scale wide", rig.add(new Op.Scale(rig.rows(WIDE, Layout.WHOLE), 3)));
    return rig.row("scales", Script.LONG);
  }
}
