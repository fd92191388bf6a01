package weft.cpu.kernel;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import weft.cpu.asm.Hosts;
import weft.cpu.asm.Isa;
import weft.quant.Encoding;
import weft.quant.Encodings;

/** Matrix-vector kernels against the definition of each format, at every level of this machine. */
class MatVecTest {
  static List<Arguments> cases() {
    var cases = new ArrayList<Arguments>();
    for (var isa : Hosts.levels()) {
      try (var library = KernelLibrary.open(isa)) {
        for (var encoding : Encodings.all()) {
          if (library.matVec(encoding).isPresent()) {
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
      for (int blocks : new int[] {1, 2, 3, 8, 9, 28}) {
        for (int rows : new int[] {1, 3, 4, 7, 37}) {
          check(rig, encoding, rows, blocks * encoding.blockValues());
        }
      }
    }
  }

  private static void check(Rig rig, Encoding encoding, int rows, int k) {
    var weights = rig.weights(encoding, rows, k);
    var x = rig.quantized(rig.randomFloats(k, 1), k);
    var out = rig.allocate(4L * rows);
    out.fill((byte) 0x7f);
    var block = rig.allocate(MatMulArguments.BYTES);
    new MatMulArguments(weights, encoding.bytes(k), k, x, 0, 1, out, 0).write(block);
    var kernel = rig.library.matVec(encoding).orElseThrow();
    // Two shares, as two workers would take them, and an empty one.
    kernel.run(block, 0, rows / 3, MemorySegment.NULL);
    kernel.run(block, rows / 3, rows, MemorySegment.NULL);
    kernel.run(block, rows, rows, MemorySegment.NULL);

    var values = Rig.meaning(x, 0, k);
    var row = new float[k];
    for (int r = 0; r < rows; r++) {
      encoding.decode(weights, r * encoding.bytes(k), row, 0, k);
      double expected = 0;
      double size = 0;
      for (int i = 0; i < k; i++) {
        expected += (double) row[i] * values[i];
        size += Math.abs(row[i] * values[i]);
      }
      assertThat(out.getAtIndex(JAVA_FLOAT, r))
          .as("%s row %d of %d, k %d", encoding.name(), r, rows, k)
          .isCloseTo((float) expected, within((float) (1e-6 + 4e-6 * size)));
    }
  }
}
