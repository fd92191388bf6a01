package weft.conformance;

import java.util.ArrayList;
import java.util.List;
import weft.backend.KvType;
import weft.conformance.Rig.Layout;
import weft.ir.Fn;
import weft.ir.Op;
import weft.ir.Op.Epilogue;
import weft.ir.Op.Prologue;
import weft.quant.Encoding;
import weft.quant.Encodings;

/**
 * Products over rows as wide as those of real models, in every encoding: a kernel counts blocks,
 * splits long rows and keeps activations in scratch by their width.
 */
final class WideRows {
  private static final List<Integer> WIDTHS = List.of(2048, 4096, 8192, 14336);

  /** Fewer than a vector has lanes, and more than one panel has rows. */
  private static final int OUTPUTS = 19;

  private WideRows() {}

  static List<Row> all() {
    var rows = new ArrayList<Row>();
    for (var encoding : Encodings.all()) rows.add(products(encoding));
    for (var encoding :
        List.of(Encodings.F16, Encodings.BF16, Encodings.Q8_0, Encodings.Q4_K, Encodings.Q6_K)) {
      rows.add(manyRows(encoding));
    }
    return rows;
  }

  /** Widths of whole blocks of 32 and not. */
  private static Row manyRows(Encoding encoding) {
    var rig = new Rig();
    boolean isPacked = encoding.blockValues() > 1;
    var widths = isPacked ? List.of(3 * encoding.blockValues(), 1280) : List.of(32, 100, 1152);
    for (int width : widths) {
      var x = rig.rows(width, Layout.PART);
      var matrix = rig.matrix(encoding, 2 * OUTPUTS, width);
      rig.output("linear " + width, rig.add(new Op.Linear(x, matrix)));
      var gate = new Epilogue.Gate(Fn.SILU);
      var both = List.of(matrix, rig.matrix(encoding, 2 * OUTPUTS, width));
      rig.output(
          "gate " + width, rig.add(new Op.Project(new Prologue.None(), x, both, List.of(), gate)));
    }
    var exactness = isPacked ? Exactness.LONG_SUMS : Exactness.NUMBERS_AS_WORDS;
    return rig.row("many rows " + encoding.name(), Script.MANY, KvType.F32, exactness);
  }

  private static Row products(Encoding encoding) {
    var rig = new Rig();
    for (int width : WIDTHS) {
      var x = rig.rows(width, Layout.WHOLE);
      rig.output(
          "linear " + width, rig.add(new Op.Linear(x, rig.matrix(encoding, OUTPUTS, width))));
    }
    int width = WIDTHS.getFirst();
    var part = rig.rows(width, Layout.PART);
    var weights = new ArrayList<>(List.of(rig.matrix(encoding, OUTPUTS, width)));
    weights.add(rig.matrix(encoding, OUTPUTS, width));
    var gate = new Epilogue.Gate(Fn.SILU);
    rig.output(
        "gate " + width,
        rig.add(new Op.Project(new Prologue.None(), part, weights, List.of(), gate)));
    return rig.row("wide " + encoding.name(), Script.WIDE, KvType.F32, Exactness.LONG_SUMS);
  }
}
