package weft.cpu.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weft.cpu.asm.Hosts;
import weft.cpu.asm.Isa;

class QuantizeTest {
  @ParameterizedTest
  @ValueSource(ints = {32, 64, 96, 256, 288, 896, 2048})
  void valuesScalesAndSumsFollowTheLayout(int k) {
    Hosts.assumeEmits();
    try (var rig = new Rig(Isa.AVX2)) {
      var rows = rig.randomFloats(3 * k, 2);
      var activations = rig.quantized(rows, k);
      for (int row = 0; row < 3; row++) {
        check(rows, row, k, activations);
      }
    }
  }

  private static void check(float[] rows, int row, int k, MemorySegment activations) {
    var layout = new Activations(k);
    long at = row * layout.rowBytes();
    for (int block = 0; block < layout.padded() / 32; block++) {
      float largest = 0;
      for (int i = 32 * block; i < Math.min(k, 32 * block + 32); i++) {
        largest = Math.max(largest, Math.abs(rows[row * k + i]));
      }
      float scale = activations.get(JAVA_FLOAT, at + layout.scaleOffset() + 4L * block);
      assertThat(scale).isCloseTo(largest / 127, within(largest * 1e-6f));
      int sum = 0;
      for (int half = 0; half < 2; half++) {
        int sum16 = 0;
        for (int i = 32 * block + 16 * half; i < 32 * block + 16 * half + 16; i++) {
          int q = activations.get(JAVA_BYTE, at + i);
          float value = i < k ? rows[row * k + i] : 0;
          assertThat(q * scale).isCloseTo(value, within(0.501f * scale));
          sum16 += q;
        }
        assertThat(activations.get(JAVA_INT, at + layout.csum16Offset() + 8L * block + 4L * half))
            .isEqualTo(-sum16);
        sum += sum16;
      }
      assertThat(activations.get(JAVA_INT, at + layout.csumOffset() + 4L * block)).isEqualTo(-sum);
      assertThat(activations.get(JAVA_FLOAT, at + layout.nsumOffset() + 4L * block))
          .isCloseTo(-sum * scale, within(1e-5f));
    }
  }

  @Test
  void aBlockOfZerosStaysZeroAndNotANumberSpreads() {
    Hosts.assumeEmits();
    try (var rig = new Rig(Isa.AVX2)) {
      var row = new float[64];
      row[40] = Float.NaN;
      row[41] = 3;
      var activations = rig.quantized(row, 64);
      var layout = new Activations(64);
      assertThat(activations.get(JAVA_FLOAT, layout.scaleOffset())).isZero();
      for (int i = 0; i < 32; i++) {
        assertThat(activations.get(JAVA_BYTE, i)).isZero();
      }
      assertThat(activations.get(JAVA_FLOAT, layout.scaleOffset() + 4)).isNaN();
    }
  }

  @Test
  void rowsMustBeWholeBlocks() {
    assertThatThrownBy(() -> new Activations(40))
        .isInstanceOf(KernelException.class)
        .hasMessageContaining("a row of 40 values")
        .hasMessageContaining("blocks of 32");
  }
}
