package weft.cpu.kernel.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weft.cpu.asm.Hosts;
import weft.cpu.asm.Isa;
import weft.cpu.kernel.Rig;
import weft.cpu.kernel.emit.Kernel;
import weft.cpu.kernel.emit.PlainRows;
import weft.quant.Encoding;
import weft.quant.Encodings;

/** Chosen rows of packed tables against their decoding, at every level of this machine. */
class EmbedTest {
  private static final int[] CHOSEN = {6, 0, 3, 3};
  private static final int TABLE_ROWS = 7;

  static Iterable<Isa> levels() {
    return Hosts.levels();
  }

  @ParameterizedTest
  @MethodSource("levels")
  void rowsEqualTheirDecoding(Isa isa) {
    int served = 0;
    for (var encoding : Encodings.all()) {
      try (var rig = new Rig(isa)) {
        var kernel = rig.library.embed(encoding);
        if (kernel.isEmpty()) continue;
        served++;
        int block = encoding.blockValues();
        for (int blocks : new int[] {1, 3, block == 1 ? 261 : 9}) {
          check(rig, encoding, kernel.get(), blocks * block);
        }
      }
    }
    assertThat(served).isGreaterThanOrEqualTo(16);
  }

  private static void check(Rig rig, Encoding encoding, Kernel kernel, int n) {
    var table = rig.weights(encoding, TABLE_ROWS, n);
    var chosen = rig.allocate(4L * CHOSEN.length);
    MemorySegment.copy(CHOSEN, 0, chosen, ValueLayout.JAVA_INT, 0, CHOSEN.length);
    var out = rig.allocate(4L * CHOSEN.length * n);
    var block = rig.allocate(EmbedArguments.BYTES);
    var scratch = rig.allocate(EmbedArguments.SCRATCH_BYTES);
    new EmbedArguments(new PlainRows(table, encoding.bytes(n)), chosen, n, PlainRows.packed(out, n))
        .write(block);
    int units = CHOSEN.length * EmbedArguments.units(n);
    kernel.run(block, 0, 1, scratch);
    kernel.run(block, 1, units, scratch);
    var expected = new float[CHOSEN.length * n];
    for (int i = 0; i < CHOSEN.length; i++) {
      encoding.decode(table, CHOSEN[i] * encoding.bytes(n), expected, i * n, n);
    }
    assertThat(out.toArray(ValueLayout.JAVA_FLOAT))
        .as("%s rows of %d", encoding.name(), n)
        .containsExactly(expected, Offset.offset(1e-6f));
  }
}
