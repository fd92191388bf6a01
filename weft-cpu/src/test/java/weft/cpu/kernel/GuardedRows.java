package weft.cpu.kernel;

import static weft.cpu.kernel.GuardCases.size;

import java.util.ArrayList;
import java.util.List;
import weft.cpu.kernel.emit.HeadRows;
import weft.cpu.kernel.emit.Kernel;
import weft.cpu.kernel.product.FinishArguments;
import weft.cpu.kernel.rows.ElementwiseArguments;
import weft.cpu.kernel.rows.ElementwiseArguments.Cut;
import weft.cpu.kernel.rows.ElementwiseArguments.Source;
import weft.cpu.kernel.rows.Formula;
import weft.cpu.kernel.rows.Peaks;
import weft.cpu.kernel.rows.PeaksArguments;
import weft.cpu.kernel.rows.RowNormArguments;
import weft.ir.Bin;
import weft.ir.Fn;

/** Kernels over rows of floats of any length. */
final class GuardedRows {
  private static final int[] WIDTHS = {1, 7, 16, 33, 700, 2048};
  private static final int[] ROWS = {1, 3, 17};

  private GuardedRows() {}

  static List<GuardCase> rowNorm(KernelLibrary library) {
    return norms(library.rowNorm(), true, false);
  }

  static List<GuardCase> addNorm(KernelLibrary library) {
    return norms(library.addNorm(), true, true);
  }

  static List<GuardCase> layerNorm(KernelLibrary library) {
    return norms(library.layerNorm(), true, true);
  }

  static List<GuardCase> l2Norm(KernelLibrary library) {
    return norms(library.l2Norm(), false, false);
  }

  private static List<GuardCase> norms(Kernel kernel, boolean hasWeight, boolean hasResidual) {
    var cases = new ArrayList<GuardCase>();
    for (int n : WIDTHS) {
      for (int heads : new int[] {1, 3}) {
        for (int rows : ROWS) cases.add(norm(kernel, hasWeight, hasResidual, n, heads, rows));
      }
    }
    return cases;
  }

  private static GuardCase norm(
      Kernel kernel, boolean hasWeight, boolean hasResidual, int n, int heads, int rows) {
    return new GuardCase(
        kernel.name(),
        size(rows, "x", heads, "x", n),
        bench -> {
          var block = bench.block(RowNormArguments.BYTES);
          new RowNormArguments(
                  bench.rows(rows, heads, n),
                  heads,
                  bench.floats(hasWeight ? n : 0),
                  n,
                  1e-5f,
                  hasResidual ? bench.rows(rows, heads, n) : HeadRows.NONE,
                  bench.outRows(rows, heads, n))
              .write(block);
          bench.call(kernel, block, 0, (long) rows * heads);
        });
  }

  static List<GuardCase> peaks(KernelLibrary library) {
    var cases = new ArrayList<GuardCase>();
    for (int n : new int[] {1, 63, 64, 65, 1000, 2051}) {
      for (int rows : ROWS) cases.add(peaks(library.peaks(), n, rows));
    }
    return cases;
  }

  private static GuardCase peaks(Kernel kernel, int n, int rows) {
    return new GuardCase(
        kernel.name(),
        size(rows, "x", n),
        bench -> {
          int runs = Math.ceilDiv(n, Peaks.RUN);
          var from = bench.rows(rows, 1, n);
          var to = bench.outRows(rows, 1, runs);
          var block = bench.block(PeaksArguments.BYTES);
          new PeaksArguments(from.plain(), n, rows, to.plain()).write(block);
          bench.call(kernel, block, 0, runs / 2);
          bench.call(kernel, block, runs / 2, runs);
        });
  }

  /** All that the backend asks for, over every function and operator. */
  private static List<Formula> formulas() {
    var formulas = new ArrayList<>(List.of(Formula.copy(), Formula.scale(), Formula.softCap()));
    for (var fn : Fn.values()) formulas.addAll(List.of(Formula.map(fn), Formula.glu(fn)));
    for (var bin : Bin.values()) {
      formulas.addAll(List.of(Formula.zip(bin), Formula.zipSpread(bin)));
    }
    return formulas;
  }

  static List<GuardCase> elementwise(KernelLibrary library) {
    var cases = new ArrayList<GuardCase>();
    for (var formula : formulas()) {
      var kernel = library.elementwise(formula);
      for (int width : WIDTHS) {
        for (int rows : ROWS) cases.add(elementwise(kernel, formula, width, rows));
      }
    }
    return cases;
  }

  /** Whole rows in pieces of 512, of which the last is shorter; or heads with a number for each. */
  private static GuardCase elementwise(Kernel kernel, Formula formula, int width, int rows) {
    return new GuardCase(
        kernel.name(),
        size(rows, "x", width),
        bench -> {
          int piece = spreads(formula) ? width : 512;
          int heads = spreads(formula) ? 3 : 1;
          var cut = new Cut(heads * width, piece);
          var sources = new ArrayList<Source>();
          for (int i = 0; i < formula.operands(); i++) {
            int of = spreads(formula) && i == 1 ? 1 : width;
            var from = inPieces(bench.rows(rows, heads, of), Math.min(of, piece), piece, of);
            // Rows may be chosen: here the last is the first, and so on.
            sources.add(new Source(from, bench.integers(backwards(rows))));
          }
          var to = inPieces(bench.outRows(rows, heads, width), piece, piece, width);
          var block = bench.block(ElementwiseArguments.BYTES);
          new ElementwiseArguments(cut, to, sources, List.of(0.5f, 2f)).write(block);
          bench.call(kernel, block, 0, (long) rows * cut.count());
        });
  }

  private static boolean spreads(Formula formula) {
    return formula instanceof Formula.Join(_, _, Formula.Spread _);
  }

  private static HeadRows inPieces(HeadRows rows, int own, int piece, int width) {
    return new HeadRows(rows.memory(), rows.rowBytes(), 4L * (width < piece ? own : piece));
  }

  private static int[] backwards(int rows) {
    var chosen = new int[rows];
    for (int i = 0; i < rows; i++) chosen[i] = rows - 1 - i;
    return chosen;
  }

  static List<GuardCase> finishAdd(KernelLibrary library) {
    return finish(library.finishAdd());
  }

  static List<GuardCase> finishGate(KernelLibrary library) {
    var cases = new ArrayList<GuardCase>();
    for (var fn : Fn.values()) cases.addAll(finish(library.finishGate(fn)));
    return cases;
  }

  static List<GuardCase> finishMap(KernelLibrary library) {
    var cases = new ArrayList<GuardCase>();
    for (var fn : Fn.values()) cases.addAll(finish(library.finishMap(fn)));
    return cases;
  }

  private static List<GuardCase> finish(Kernel kernel) {
    var cases = new ArrayList<GuardCase>();
    for (int width : WIDTHS) {
      for (int rows : ROWS) cases.add(finish(kernel, width, rows));
    }
    return cases;
  }

  private static GuardCase finish(Kernel kernel, int width, int rows) {
    return new GuardCase(
        kernel.name(),
        size(rows, "x", width),
        bench -> {
          var a = bench.rows(rows, 1, width);
          var b = bench.rows(rows, 1, width);
          var out = bench.outRows(rows, 1, width);
          var block = bench.block(FinishArguments.BYTES);
          new FinishArguments(
                  a.plain(), bench.floats(width), b.plain(), bench.floats(width), out.plain(), rows)
              .write(block);
          bench.call(kernel, block, 0, width / 3);
          bench.call(kernel, block, width / 3, width);
        });
  }
}
