package weft.cpu.kernel.product;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weft.cpu.asm.Hosts;
import weft.cpu.asm.Isa;
import weft.cpu.kernel.Rig;
import weft.cpu.kernel.emit.KernelException;
import weft.cpu.kernel.product.Activations.Sums;

class QuantizeTest {
  @ParameterizedTest
  @ValueSource(ints = {32, 64, 96, 256, 288, 896, 2048})
  void valuesScalesAndSumsFollowTheLayout(int k) {
    check(new Activations(k, 32));
  }

  @ParameterizedTest
  @ValueSource(ints = {256, 768, 2048})
  void valuesMayShareTheirScalesWithMore(int k) {
    check(new Activations(k, 256));
  }

  private static void check(Activations layout) {
    Hosts.assumeEmits();
    int k = layout.k();
    try (var rig = new Rig(Isa.AVX2)) {
      var rows = rig.randomFloats(3 * k, 2);
      var activations = rig.quantized(rows, layout);
      for (int row = 0; row < 3; row++) {
        var values = Arrays.copyOfRange(rows, row * k, row * k + layout.padded());
        Arrays.fill(values, k, values.length, 0);
        check(values, layout, activations.asSlice(row * layout.rowBytes()));
      }
    }
  }

  private static void check(float[] values, Activations layout, MemorySegment row) {
    for (int block = 0; block < layout.padded() / 32; block++) {
      int from = 32 * block;
      float scale = row.get(JAVA_FLOAT, layout.scaleOffset() + 4L * block);
      float expected = largest(values, from / layout.shared() * layout.shared(), layout) / 127;
      assertThat(scale).isCloseTo(expected, within(expected * 1e-6f));
      for (int i = from; i < from + 32; i++) {
        assertThat(row.get(JAVA_BYTE, i) * scale).isCloseTo(values[i], within(0.501f * scale));
      }
      int sum = 0;
      for (int half = 0; half < 2; half++) {
        int sum16 = 0;
        for (int i = 0; i < 16; i++) {
          sum16 += row.get(JAVA_BYTE, from + 16 * half + i);
        }
        assertThat(row.get(JAVA_INT, layout.offset(Sums.CSUM16) + 8L * block + 4L * half))
            .isEqualTo(-sum16);
        sum += sum16;
      }
      assertThat(row.get(JAVA_INT, layout.offset(Sums.CSUM) + 4L * block)).isEqualTo(-sum);
      assertThat(row.get(JAVA_SHORT, layout.offset(Sums.WSUM) + 2L * block))
          .isEqualTo((short) -sum);
      assertThat(row.get(JAVA_FLOAT, layout.offset(Sums.NSUM) + 4L * block))
          .isCloseTo(-sum * scale, within(1e-5f));
    }
  }

  private static float largest(float[] values, int from, Activations layout) {
    float largest = 0;
    for (int i = from; i < from + layout.shared(); i++) {
      largest = Math.max(largest, Math.abs(values[i]));
    }
    return largest;
  }

  @Test
  void aBlockOfZerosStaysZeroAndNotANumberSpreads() {
    Hosts.assumeEmits();
    try (var rig = new Rig(Isa.AVX2)) {
      var row = new float[64];
      row[40] = Float.NaN;
      row[41] = 3;
      var layout = new Activations(64, 32);
      var activations = rig.quantized(row, layout);
      assertThat(activations.get(JAVA_FLOAT, layout.scaleOffset())).isZero();
      for (int i = 0; i < 32; i++) {
        assertThat(activations.get(JAVA_BYTE, i)).isZero();
      }
      assertThat(activations.get(JAVA_FLOAT, layout.scaleOffset() + 4)).isNaN();
    }
  }

  @Test
  void rowsMustBeWholeBlocks() {
    assertThatThrownBy(() -> new Activations(40, 32))
        .isInstanceOf(KernelException.class)
        .hasMessageContaining("a row of 40 values")
        .hasMessageContaining("blocks of 32");
    assertThatThrownBy(() -> new Activations(320, 256))
        .isInstanceOf(KernelException.class)
        .hasMessageContaining("blocks of 256");
  }
}
