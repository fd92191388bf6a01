package weft.cpu.portable;

import static org.assertj.core.api.Assertions.fail;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class LanesTest {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  @Test
  void everyHalfBecomesItsFloat() {
    try (var arena = Arena.ofConfined()) {
      var memory = arena.allocate(2 << 16);
      for (int bits = 0; bits < 1 << 16; bits++) memory.set(SHORT, 2L * bits, (short) bits);
      var lanes = new float[Lanes.COUNT];
      for (int bits = 0; bits < 1 << 16; bits += Lanes.COUNT) {
        Lanes.halves(memory, 2L * bits).intoArray(lanes, 0);
        for (int i = 0; i < Lanes.COUNT; i++) {
          float expected = Float.float16ToFloat((short) (bits + i));
          if (Float.floatToIntBits(lanes[i]) != Float.floatToIntBits(expected)) {
            fail("half %04x is %s, got %s", bits + i, expected, lanes[i]);
          }
        }
      }
    }
  }
}
