package weft.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import weft.conformance.Rig.Layout;
import weft.ir.Bin;
import weft.ir.Dim;
import weft.ir.Op;
import weft.ir.Type;
import weft.ir.Value;
import weft.lir.Bounds;
import weft.quant.Encoding;
import weft.quant.Encodings;

/** The norms over rows and heads, and the rotations of heads. */
final class NormRows {
  private static final float EPS = 1e-5f;

  private NormRows() {}

  static List<Row> all() {
    var rows = new ArrayList<Row>();
    rows.add(rootMeanSquares());
    rows.add(layers());
    rows.add(encodedWeights());
    rows.add(lengths());
    for (var pairing : Op.Pairing.values()) rows.add(rotations(pairing));
    rows.add(sections());
    return rows;
  }

  private static Row rootMeanSquares() {
    var rig = new Rig();
    for (int width : List.of(1, 3, 13, 33, 65, 207)) {
      for (float offset : new float[] {0, 1}) {
        var w = rig.weight(Encodings.F32, 1, 0.5, width);
        var stream = rig.rows(width, Layout.PART);
        var x = rig.rows(width, Layout.WHOLE);
        var name = width + " offset " + offset;
        norm(rig, "whole " + name, x, w, offset);
        norm(rig, "part " + name, stream, w, offset);
        addNorm(rig, "whole " + name, stream, x, w, offset);
        addNorm(rig, "part " + name, x, stream, w, offset);
      }
    }
    var w = rig.weight(Encodings.F32, 1, 0.5, 13);
    norm(rig, "heads", rig.heads(3, 13, Layout.PART), w, 0);
    norm(rig, "cut heads", rig.cutHeads(3, 13), w, 1);
    addNorm(rig, "heads", rig.heads(3, 13, Layout.WHOLE), rig.heads(3, 13, Layout.PART), w, 1);
    addNorm(rig, "cut heads", rig.heads(3, 13, Layout.WHOLE), rig.cutHeads(3, 13), w, 0);
    return rig.row("norms", Script.LONG);
  }

  private static void norm(Rig rig, String name, Value x, Value w, float offset) {
    rig.output("rmsnorm " + name, rig.add(new Op.RmsNorm(x, w, EPS, offset)));
  }

  private static void addNorm(Rig rig, String name, Value stream, Value x, Value w, float offset) {
    rig.output("addnorm " + name, rig.add(new Op.AddNorm(stream, x, w, EPS, offset)));
  }

  private static Row layers() {
    var rig = new Rig();
    for (int width : List.of(1, 3, 13, 33, 65, 207)) {
      for (var layout : Layout.values()) {
        layerNorm(rig, width + " " + layout, rig.rows(width, layout), width);
      }
    }
    layerNorm(rig, "heads", rig.heads(3, 13, Layout.PART), 13);
    layerNorm(rig, "cut heads", rig.cutHeads(3, 13), 13);
    return rig.row("layer norms", Script.LONG);
  }

  private static void layerNorm(Rig rig, String name, Value x, int width) {
    var w = rig.weight(Encodings.F32, 1, 0.5, width);
    var b = rig.weight(Encodings.F32, 0, 0.5, width);
    rig.output("layernorm " + name, rig.add(new Op.LayerNorm(x, w, b, EPS)));
  }

  private static Row encodedWeights() {
    var rig = new Rig();
    for (Encoding encoding : Encodings.all()) {
      int width = encoding.blockValues() == 1 ? 33 : encoding.blockValues();
      var w = rig.weight(encoding, 1, 0.5, width);
      norm(rig, encoding.name(), rig.rows(width, Layout.PART), w, 0);
    }
    return rig.row("norms in every encoding", Script.SHORT);
  }

  private static Row lengths() {
    var rig = new Rig();
    for (int width : List.of(1, 3, 13, 33, 207)) {
      for (var layout : Layout.values()) {
        var x = rig.rows(width, layout);
        rig.output("l2norm " + width + " " + layout, rig.add(new Op.L2Norm(x, 1e-6f)));
      }
    }
    rig.output("l2norm heads", rig.add(new Op.L2Norm(rig.heads(3, 13, Layout.PART), 1e-6f)));
    rig.output("l2norm cut heads", rig.add(new Op.L2Norm(rig.cutHeads(3, 13), 1e-6f)));
    return rig.row("lengths", Script.LONG);
  }

  private static Row rotations(Op.Pairing pairing) {
    var rig = new Rig();
    for (int head : List.of(2, 6, 13, 34, 65)) {
      for (int pairs : new TreeSet<>(List.of(1, head / 2))) {
        var frequencies = frequencies(rig, pairs);
        var name = head + " pairs " + pairs;
        rope(rig, "whole " + name, rig.heads(3, head, Layout.WHOLE), frequencies, pairing, 1);
        rope(rig, "part " + name, rig.heads(1, head, Layout.PART), frequencies, pairing, 1.2f);
        rope(rig, "cut " + name, rig.cutHeads(3, head), frequencies, pairing, 1);
      }
    }
    // As llama3's scaling comes in GGUF: divisors from the file, divided at load.
    var divisors = rig.weight(Encodings.F32, 4, 3, 6);
    var scaled = rig.add(new Op.Zip(Bin.DIV, frequencies(rig, 6), divisors));
    rope(rig, "scaled", rig.heads(2, 13, Layout.WHOLE), scaled, pairing, 1);
    return rig.row("rotations " + pairing, Script.LONG);
  }

  /** Three positions a row, as text among pictures has them: pairs that go by one, or by two. */
  private static Row sections() {
    var rig = new Rig();
    var positions = rig.add(new Op.Input("positions", Type.i32(Bounds.TOKENS, Dim.of(3))));
    var frequencies =
        rig.add(
            new Op.Constant(
                List.of(1f, 0f, 0f, 0.1f, 0f, 0f, 0.5f, 0f, 0f, 0.05f, 0f, 0f, 0.25f, 0f, 0.01f)));
    for (int head : List.of(10, 13, 34)) {
      for (var pairing : Op.Pairing.values()) {
        for (int heads : List.of(1, 3)) {
          var x = rig.heads(heads, head, Layout.WHOLE);
          var turned = new Op.Rope(x, positions, frequencies, pairing, 1);
          rig.output("rope %d of %d %s".formatted(heads, head, pairing), rig.add(turned));
        }
      }
    }
    return rig.row("rotations by several positions", Script.LONG);
  }

  private static void rope(
      Rig rig, String name, Value x, Value frequencies, Op.Pairing pairing, float scale) {
    var rotated = new Op.Rope(x, rig.positions(), frequencies, pairing, scale);
    rig.output("rope " + name, rig.add(rotated));
  }

  static Value frequencies(Rig rig, int pairs) {
    var values = new ArrayList<Float>();
    for (int i = 0; i < pairs; i++) values.add((float) Math.pow(10_000, -(double) i / pairs));
    return rig.add(new Op.Constant(values));
  }
}
