package weft.cpu.kernel.rows;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weft.cpu.asm.Hosts;
import weft.cpu.asm.Isa;
import weft.cpu.kernel.Rig;
import weft.cpu.kernel.emit.PlainRows;

class PeaksTest {
  static Iterable<Isa> levels() {
    return Hosts.levels();
  }

  @ParameterizedTest
  @MethodSource("levels")
  void eachRunHasItsGreatestAndRunsThatAreNotFiniteHaveNone(Isa isa) {
    for (int n : new int[] {1, 63, 64, 65, 127, 128, 1000}) {
      try (var rig = new Rig(isa)) {
        int rows = 3;
        var values = rig.randomFloats(rows * n, 5);
        for (int i = 0; i < values.length; i++) values[i] -= 20;
        float[] broken = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY};
        for (int row = 0; row < rows; row++) values[row * n + n / 2] = broken[row];
        int runs = Math.ceilDiv(n, Peaks.RUN);
        var to = rig.allocate(4L * rows * runs);
        var block = rig.allocate(PeaksArguments.BYTES);
        new PeaksArguments(
                PlainRows.packed(rig.floats(values), n), n, rows, PlainRows.packed(to, runs))
            .write(block);
        int middle = runs / 2;
        rig.library.peaks().run(block, 0, middle, MemorySegment.NULL);
        rig.library.peaks().run(block, middle, runs, MemorySegment.NULL);
        for (int row = 0; row < rows; row++) {
          for (int run = 0; run < runs; run++) {
            float peak = to.getAtIndex(JAVA_FLOAT, row * runs + run);
            assertThat(Float.compare(peak, truth(values, row, n, run)))
                .as("n %d row %d run %d: %s", n, row, run, peak)
                .isZero();
          }
        }
      }
    }
  }

  private static float truth(float[] values, int row, int n, int run) {
    float peak = Float.NEGATIVE_INFINITY;
    for (int i = run * Peaks.RUN; i < Math.min(n, (run + 1) * Peaks.RUN); i++) {
      float value = values[row * n + i];
      if (!Float.isFinite(value)) return Float.NaN;
      peak = Math.max(peak, value);
    }
    return peak;
  }
}
