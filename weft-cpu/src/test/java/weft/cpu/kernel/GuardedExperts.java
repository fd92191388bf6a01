package weft.cpu.kernel;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static weft.cpu.kernel.GuardCases.size;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import weft.cpu.kernel.emit.Kernel;
import weft.cpu.kernel.emit.PlainRows;
import weft.cpu.kernel.experts.ExpertProductsArguments;
import weft.cpu.kernel.experts.MixArguments;
import weft.cpu.kernel.experts.RouteArguments;
import weft.cpu.kernel.experts.RouteTables;
import weft.cpu.kernel.product.Activations;
import weft.ir.Routing;
import weft.quant.Encoding;
import weft.quant.Encodings;

/** Kernels of mixtures of experts, which find rows by what was chosen. */
final class GuardedExperts {
  private GuardedExperts() {}

  static List<GuardCase> route(KernelLibrary library) {
    var cases = new ArrayList<GuardCase>();
    for (var scoring : Routing.Scoring.values()) {
      for (var weights : Routing.Weights.values()) {
        var kernel = library.route(scoring, weights);
        for (int experts : new int[] {1, 3, 8, 13, 128}) {
          for (int used : new int[] {1, Math.min(experts, 4), Math.min(experts, 13)}) {
            for (int rows : new int[] {1, 3, 17}) {
              cases.add(route(kernel, experts, used, rows));
            }
          }
        }
      }
    }
    return cases;
  }

  private static GuardCase route(Kernel kernel, int experts, int used, int rows) {
    return new GuardCase(
        kernel.name(),
        size(rows, "rows of", used, "of", experts),
        bench -> {
          var scores = bench.rows(rows, 1, experts);
          var tables = RouteTables.allocate(bench::out, rows * used, experts);
          var block = bench.block(RouteArguments.BYTES);
          new RouteArguments(scores.plain(), experts, rows, used, 1.5f, tables).write(block);
          bench.scratch(RouteArguments.scratchBytes(experts));
          bench.call(kernel, block, 0, 1);
          bench.check(() -> requireValid(tables, experts, used, rows));
        });
  }

  /** What the other kernels find rows by: each row's experts differ, and places are all taken. */
  private static void requireValid(RouteTables tables, int experts, int used, int rows) {
    var places = new BitSet();
    for (int row = 0; row < rows; row++) {
      var chosen = new BitSet();
      for (int use = row * used; use < (row + 1) * used; use++) {
        chosen.set(number(tables.chosen(), use));
        places.set(number(tables.places(), use));
        require(number(tables.sources(), number(tables.places(), use)) == row, "a source");
      }
      require(chosen.cardinality() == used && chosen.length() <= experts, "a choice");
    }
    require(places.cardinality() == rows * used && places.length() == rows * used, "a place");
    require(number(tables.starts(), 0) == 0, "the first start");
    for (int e = 0; e < experts; e++) {
      int uses = number(tables.starts(), e + 1) - number(tables.starts(), e);
      require(uses >= 0 && uses <= rows, "a start");
    }
    require(number(tables.starts(), experts) == rows * used, "the last start");
  }

  private static int number(MemorySegment table, int index) {
    return table.getAtIndex(JAVA_INT, index);
  }

  private static void require(boolean isSo, String what) {
    if (!isSo) throw new AssertionError(what + " of the tables is wrong");
  }

  /** Six rows, of which four, none, one and one use an expert; one of those is not there. */
  static List<GuardCase> products(KernelLibrary library) {
    var cases = new ArrayList<GuardCase>();
    for (var encoding : Encodings.all()) {
      if (!library.multiplies(encoding)) continue;
      int least = encoding.blockValues();
      for (int k : new int[] {least, 3 * least}) {
        for (int rows : new int[] {1, 17}) cases.add(products(library, encoding, k, rows));
      }
    }
    return cases;
  }

  private static GuardCase products(KernelLibrary library, Encoding encoding, int k, int rows) {
    var kernel = library.expertProducts();
    return new GuardCase(
        kernel.name(),
        size(encoding.name(), k, "by", rows, "rows"),
        bench -> {
          int most = 4;
          int uses = 6;
          boolean takesFloats = encoding.blockValues() == 1;
          long xBytes = takesFloats ? 4L * k : Activations.of(encoding, k).rowBytes();
          var x = takesFloats ? bench.floats((long) uses * k) : bench.packed(uses * xBytes);
          var kernels = bench.block(8L * ExpertProductsArguments.KERNEL_COUNT);
          for (int n = 1; n <= ExpertProductsArguments.KERNEL_COUNT; n++) {
            library.product(encoding, Math.min(n, most), k).entry().writeTo(kernels, 8L * (n - 1));
          }
          var banks = new long[4];
          for (int e = 0; e < banks.length; e++) {
            banks[e] = bench.packed(encoding.bytes((long) rows * k)).address();
          }
          banks[2] = 0;
          var block = bench.block(ExpertProductsArguments.BYTES);
          new ExpertProductsArguments(
                  bench.addresses(banks),
                  kernels,
                  bench.integers(0, 4, 4, 5, 6),
                  banks.length,
                  most,
                  encoding.bytes(k),
                  k,
                  new PlainRows(x, xBytes),
                  PlainRows.packed(bench.out(4L * uses * rows), rows))
              .write(block);
          bench.scratch(KernelLibrary.SCRATCH_BYTES);
          bench.call(kernel, block, 0, rows);
        });
  }

  static List<GuardCase> mix(KernelLibrary library) {
    var cases = new ArrayList<GuardCase>();
    for (int width : new int[] {1, 7, 33, 2048}) {
      for (int used : new int[] {1, 3}) cases.add(mix(library.mix(), width, used));
    }
    return cases;
  }

  private static GuardCase mix(Kernel kernel, int width, int used) {
    return new GuardCase(
        kernel.name(),
        size(width, "columns of", used),
        bench -> {
          int rows = 3;
          var places = new int[rows * used];
          for (int i = 0; i < places.length; i++) places[i] = places.length - 1 - i;
          var none = bench.integers();
          var tables =
              new RouteTables(
                  none, bench.floats(places.length), none, bench.integers(places), none);
          var to = bench.outRows(rows, 1, width);
          var block = bench.block(MixArguments.BYTES);
          new MixArguments(
                  PlainRows.packed(bench.floats((long) places.length * width), width),
                  tables,
                  used,
                  rows,
                  to.plain())
              .write(block);
          bench.call(kernel, block, 0, width / 3);
          bench.call(kernel, block, width / 3, width);
        });
  }
}
