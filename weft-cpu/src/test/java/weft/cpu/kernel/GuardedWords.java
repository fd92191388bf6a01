package weft.cpu.kernel;

import static weft.cpu.kernel.GuardCases.size;

import java.util.ArrayList;
import java.util.List;
import weft.cpu.kernel.emit.Kernel;
import weft.cpu.kernel.emit.PlainRows;
import weft.cpu.kernel.product.MatMulArguments;
import weft.cpu.kernel.product.Panel;
import weft.cpu.kernel.product.WordRows;
import weft.cpu.kernel.product.WordRowsArguments;
import weft.cpu.kernel.product.WordScales;
import weft.ir.Fn;
import weft.quant.Encoding;
import weft.quant.Encodings;

/** Kernels that multiply words, and the one that makes them. */
final class GuardedWords {
  private static final int DEPTH = Panel.WORD_DEPTH;

  private GuardedWords() {}

  static List<GuardCase> words(KernelLibrary library) {
    var cases = new ArrayList<GuardCase>();
    for (int parts : new int[] {1, 2, 3, 6, 9, 16, 19}) {
      for (int rows : new int[] {1, 3, 17}) {
        for (var scales : WordScales.values()) {
          if (!scales.take(16 * parts)) continue;
          cases.add(words(library.words(scales), new WordRows(16 * parts), rows));
        }
      }
    }
    return cases;
  }

  private static GuardCase words(Kernel kernel, WordRows layout, int rows) {
    return new GuardCase(
        kernel.name(),
        size(rows, "x", layout.k()),
        bench -> {
          var from = bench.rows(rows, 1, layout.k());
          var to = bench.out(layout.bytes(rows));
          var block = bench.block(WordRowsArguments.BYTES);
          new WordRowsArguments(from.plain(), layout, to).write(block);
          bench.call(kernel, block, 0, rows);
        });
  }

  static List<GuardCase> matMul(KernelLibrary library) {
    var cases = new ArrayList<GuardCase>();
    for (var encoding : Encodings.all()) {
      if (!library.multiplies(encoding)) continue;
      for (var scales : WordScales.values()) {
        library
            .wordMatMul(encoding, scales)
            .ifPresent(kernel -> addMatMuls(cases, kernel, scales, encoding));
      }
    }
    return cases;
  }

  static List<GuardCase> mappedMatMul(KernelLibrary library) {
    var cases = new ArrayList<GuardCase>();
    for (var scales : WordScales.values()) {
      library
          .mappedWordMatMul(Encodings.F16, scales, Fn.GELU_TANH)
          .ifPresent(kernel -> addMatMuls(cases, kernel, scales, Encodings.F16));
    }
    return cases;
  }

  private static void addMatMuls(
      List<GuardCase> cases, Kernel kernel, WordScales scales, Encoding encoding) {
    for (int tokens : new int[] {1, 2, 3, 17}) {
      for (int k : new int[] {16, 32, 96, 112, 128, 288, 320, DEPTH + 16, DEPTH + 128}) {
        if (!scales.take(k)) continue;
        for (int rows : new int[] {1, 3, 17, 35}) {
          cases.add(matMul(kernel, encoding, tokens, k, rows));
        }
      }
    }
  }

  private static GuardCase matMul(Kernel kernel, Encoding encoding, int tokens, int k, int rows) {
    return new GuardCase(
        kernel.name(),
        size(tokens, "x", k, "by", rows, "rows"),
        bench -> {
          var layout = new WordRows(k);
          var x = bench.packed(layout.bytes(tokens));
          var weights = bench.packed(encoding.bytes((long) rows * k));
          long outBytes = 4L * (rows + 1);
          var out = bench.out((tokens - 1L) * outBytes + 4L * rows);
          var block = bench.block(MatMulArguments.BYTES);
          var products =
              new MatMulArguments(
                  new PlainRows(weights, encoding.bytes(k)),
                  k,
                  new PlainRows(x, layout.rowBytes()),
                  tokens,
                  new PlainRows(out, outBytes));
          boolean adds = tokens % 2 == 1;
          (adds ? GuardedProducts.added(bench, products, rows) : products).write(block);
          bench.scratch(KernelLibrary.SCRATCH_BYTES);
          bench.call(kernel, block, 0, rows / 3);
          bench.call(kernel, block, rows / 3, rows);
        });
  }
}
