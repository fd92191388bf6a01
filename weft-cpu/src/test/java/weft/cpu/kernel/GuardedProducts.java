package weft.cpu.kernel;

import static weft.cpu.kernel.GuardCases.size;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import weft.cpu.kernel.emit.Kernel;
import weft.cpu.kernel.emit.PlainRows;
import weft.cpu.kernel.product.AbreastLayout;
import weft.cpu.kernel.product.Activations;
import weft.cpu.kernel.product.FewLayout;
import weft.cpu.kernel.product.MatMulArguments;
import weft.cpu.kernel.product.Panel;
import weft.cpu.kernel.product.QuantizeArguments;
import weft.cpu.kernel.rows.EmbedArguments;
import weft.quant.Encoding;
import weft.quant.Encodings;

/** Kernels that read packed weights, and the one that makes activations for them. */
final class GuardedProducts {
  private static final int[] WEIGHT_ROWS = {1, 3, 17, 35};
  private static final int[] TOKENS = {1, 2, 3, 17};

  private GuardedProducts() {}

  /** Lengths of rows: the least, odd ones, real ones, and one that a panel takes in two parts. */
  private static int[] lengths(Encoding encoding) {
    return switch (encoding.blockValues()) {
      case 1 -> new int[] {1, 7, 33, 128, Panel.FLOAT_DEPTH + 5};
      case 32 -> new int[] {32, 96, 288, 2048, Panel.DEPTH + 32};
      default -> new int[] {256, 768, 2048, Panel.DEPTH + 256};
    };
  }

  private static List<Encoding> multiplied(KernelLibrary library) {
    return Encodings.all().stream().filter(library::multiplies).toList();
  }

  static List<GuardCase> matVec(KernelLibrary library) {
    var cases = new ArrayList<GuardCase>();
    for (var encoding : multiplied(library)) {
      add(cases, library.matVec(encoding), encoding, 1);
    }
    return cases;
  }

  static List<GuardCase> matMul(KernelLibrary library) {
    var cases = new ArrayList<GuardCase>();
    for (var encoding : multiplied(library)) {
      for (int tokens : TOKENS) add(cases, library.matMul(encoding), encoding, tokens);
    }
    return cases;
  }

  /** As many tokens as kernels of a few take, and more. */
  static List<GuardCase> product(KernelLibrary library) {
    var cases = new ArrayList<GuardCase>();
    for (var encoding : multiplied(library)) {
      var numbers = IntStream.concat(IntStream.rangeClosed(2, 18), IntStream.of(25, 32));
      for (int tokens : numbers.toArray()) {
        for (int k : lengths(encoding)) {
          for (int rows : WEIGHT_ROWS) {
            cases.add(product(library.product(encoding, tokens, k), encoding, tokens, k, rows));
          }
        }
      }
      int longest = FewLayout.MOST_VALUES;
      cases.add(product(library.product(encoding, 2, longest), encoding, 2, longest, 1));
      int longer = longest + encoding.blockValues();
      cases.add(product(library.product(encoding, 2, longer), encoding, 2, longer, 1));
      if (encoding.blockValues() == 1) continue;
      int most = AbreastLayout.MOST_VALUES;
      cases.add(product(library.product(encoding, 1, most), encoding, 1, most, 1));
      cases.add(product(library.product(encoding, 8, most / 8), encoding, 8, most / 8, 1));
      int more = most + encoding.blockValues();
      cases.add(product(library.product(encoding, 1, more), encoding, 1, more, 1));
    }
    return cases;
  }

  static List<GuardCase> written(KernelLibrary library) {
    var cases = new ArrayList<GuardCase>();
    for (var encoding : multiplied(library)) {
      if (!library.meetsApart(encoding)) continue;
      for (int tokens : new int[] {1, 2, 5, 10, 17, 32}) {
        add(cases, library.written(encoding, tokens), encoding, tokens);
      }
    }
    return cases;
  }

  private static void add(List<GuardCase> cases, Kernel kernel, Encoding encoding, int tokens) {
    for (int k : lengths(encoding)) {
      for (int rows : WEIGHT_ROWS) cases.add(product(kernel, encoding, tokens, k, rows));
    }
  }

  private static GuardCase product(Kernel kernel, Encoding encoding, int tokens, int k, int rows) {
    return new GuardCase(
        kernel.name(),
        size(tokens, "x", k, "by", rows, "rows"),
        bench -> {
          boolean takesFloats = encoding.blockValues() == 1;
          long xBytes = takesFloats ? 4L * (k + 1) : Activations.of(encoding, k).rowBytes();
          var x =
              takesFloats
                  ? bench.floats((tokens - 1L) * (k + 1) + k)
                  : bench.packed(tokens * xBytes);
          var weights =
              encoding == Encodings.F32
                  ? bench.floats((long) rows * k)
                  : bench.packed(encoding.bytes((long) rows * k));
          long outBytes = 4L * (rows + 1);
          var out = bench.out((tokens - 1L) * outBytes + 4L * rows);
          var block = bench.block(MatMulArguments.BYTES);
          var products =
              new MatMulArguments(
                  new PlainRows(weights, encoding.bytes(k)),
                  k,
                  new PlainRows(x, xBytes),
                  tokens,
                  new PlainRows(out, outBytes));
          boolean adds = tokens % 2 == 1 && kernel.name().startsWith("matmul.");
          (adds ? added(bench, products, rows) : products).write(block);
          bench.scratch(KernelLibrary.SCRATCH_BYTES);
          bench.call(kernel, block, 0, rows / 3);
          bench.call(kernel, block, rows / 3, rows);
        });
  }

  /** The same with so many numbers added to each token's. */
  static MatMulArguments added(GuardBench bench, MatMulArguments products, int rows) {
    long rowBytes = 4L * (rows + 1);
    var residual = bench.floats((products.tokens() - 1) * (rows + 1) + rows);
    return products.plus(bench.floats(rows), new PlainRows(residual, rowBytes));
  }

  static List<GuardCase> embed(KernelLibrary library) {
    var cases = new ArrayList<GuardCase>();
    for (var encoding : Encodings.all()) {
      library
          .embed(encoding)
          .ifPresent(
              kernel -> {
                for (int n : lengths(encoding)) cases.add(embed(kernel, encoding, n));
              });
    }
    return cases;
  }

  private static GuardCase embed(Kernel kernel, Encoding encoding, int n) {
    return new GuardCase(
        kernel.name(),
        size(n, "values"),
        bench -> {
          int[] chosen = {4, 0, 3, 4};
          var table =
              encoding == Encodings.F32
                  ? bench.floats(5L * n)
                  : bench.packed(encoding.bytes(5L * n));
          var to = bench.outRows(chosen.length, 1, n);
          var block = bench.block(EmbedArguments.BYTES);
          new EmbedArguments(
                  new PlainRows(table, encoding.bytes(n)), bench.integers(chosen), n, to.plain())
              .write(block);
          bench.scratch(EmbedArguments.SCRATCH_BYTES);
          bench.call(kernel, block, 0, (long) chosen.length * EmbedArguments.units(n));
        });
  }

  static List<GuardCase> quantize(KernelLibrary library) {
    var cases = new ArrayList<GuardCase>();
    for (int shared : new int[] {32, 256}) {
      for (int blocks : new int[] {1, 3, 8, 9}) {
        for (int rows : new int[] {1, 3, 17}) {
          cases.add(quantize(library, new Activations(blocks * shared, shared), rows));
        }
      }
    }
    return cases;
  }

  private static GuardCase quantize(KernelLibrary library, Activations layout, int rows) {
    var kernel = library.quantize(layout);
    return new GuardCase(
        kernel.name(),
        size(rows, "x", layout.k()),
        bench -> {
          var from = bench.rows(rows, 1, layout.k());
          var to = bench.out(layout.bytes(rows));
          var block = bench.block(QuantizeArguments.BYTES);
          new QuantizeArguments(from.plain(), layout, to).write(block);
          bench.call(kernel, block, 0, rows);
        });
  }
}
