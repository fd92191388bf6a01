package weft.cpu.kernel.product;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import weft.cpu.asm.Hosts;
import weft.cpu.asm.Isa;
import weft.cpu.kernel.KernelLibrary;
import weft.cpu.kernel.Rig;
import weft.cpu.kernel.emit.PlainRows;
import weft.quant.Encoding;
import weft.quant.Encodings;

/** Matrix-vector kernels against the definition of each format, at every level of this machine. */
class MatVecTest {
  static List<Arguments> cases() {
    var cases = new ArrayList<Arguments>();
    for (var isa : Hosts.levels()) {
      try (var library = KernelLibrary.open(isa)) {
        for (var encoding : Encodings.all()) {
          if (library.multiplies(encoding)) {
            cases.add(Arguments.of(isa, encoding));
          }
        }
      }
    }
    return cases;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void productsEqualThoseOfTheDecodedRows(Isa isa, Encoding encoding) {
    try (var rig = new Rig(isa)) {
      for (int k : lengths(encoding)) {
        check(rig, encoding, Rig.Values.GAUSSIAN, k);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theLargestSumsDoNotOverflow(Isa isa, Encoding encoding) {
    try (var rig = new Rig(isa)) {
      check(rig, encoding, Rig.Values.EXTREME, 256);
    }
  }

  /** Lengths with every kind of rest: of a pair or four of blocks, of a register of floats. */
  private static int[] lengths(Encoding encoding) {
    return switch (encoding.blockValues()) {
      case 1 -> new int[] {1, 7, 8, 16, 31, 32, 33, 100, 544};
      case 32 -> new int[] {32, 64, 96, 128, 160, 256, 288, 896};
      default -> new int[] {256, 512, 1280};
    };
  }

  private static void check(Rig rig, Encoding encoding, Rig.Values values, int k) {
    int rows = 37;
    var weights = rig.weights(encoding, values, rows, k);
    boolean floats = encoding.blockValues() == 1;
    var input = rig.values(values, k, 1);
    var x = floats ? rig.floats(input) : rig.quantized(input, Activations.of(encoding, k));
    var meaning = floats ? input : Rig.meaning(x, 0, Activations.of(encoding, k));
    var out = rig.allocate(4L * rows);
    out.fill((byte) 0x7f);
    var block = rig.allocate(MatMulArguments.BYTES);
    new MatMulArguments(
            new PlainRows(weights, encoding.bytes(k)), k, PlainRows.one(x), 1, PlainRows.one(out))
        .write(block);
    var kernel = rig.library.matVec(encoding);
    var scratch = rig.allocate(KernelLibrary.SCRATCH_BYTES);
    // Shares of 1, 3, 4, 0, 7 and 22 rows: with and without rows beside the streams.
    int[] shares = {0, 1, 4, 8, 8, 15, rows};
    for (int i = 1; i < shares.length; i++) {
      kernel.run(block, shares[i - 1], shares[i], scratch);
    }

    var row = new float[k];
    for (int r = 0; r < rows; r++) {
      encoding.decode(weights, r * encoding.bytes(k), row, 0, k);
      double expected = 0;
      double size = 0;
      for (int i = 0; i < k; i++) {
        expected += (double) row[i] * meaning[i];
        size += Math.abs(row[i] * meaning[i]);
      }
      assertThat(out.getAtIndex(JAVA_FLOAT, r))
          .as("%s row %d of %d, k %d", encoding.name(), r, rows, k)
          .isCloseTo((float) expected, within((float) (1e-6 + 4e-6 * size)));
    }
  }
}
