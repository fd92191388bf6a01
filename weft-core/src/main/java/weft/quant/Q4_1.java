package weft.quant;

import java.lang.foreign.MemorySegment;

/**
 * 32 nibbles under a half-float scale and minimum: {@code d:2, m:2, q:16}, value {@code d·q + m};
 * byte {@code i} holds value {@code i} below and value {@code i + 16} above.
 */
public record Q4_1() implements Encoding {
  private static final int HALF = 16;
  private static final int MINIMUM = 2;
  private static final int QUANTS = 4;

  @Override
  public StorageType type() {
    return StorageType.Q4_1;
  }

  @Override
  public void decodeBlock(MemorySegment from, long offset, float[] to, int at) {
    float d = Bytes.half(from, offset);
    float m = Bytes.half(from, offset + MINIMUM);
    for (int i = 0; i < HALF; i++) {
      int pair = Bytes.unsigned(from, offset + QUANTS + i);
      to[at + i] = d * (pair & 15) + m;
      to[at + HALF + i] = d * (pair >> 4) + m;
    }
  }

  @Override
  public void encodeBlock(float[] from, int at, MemorySegment to, long offset) {
    float m = Rounding.smallest(from, at, 2 * HALF);
    float d = (Rounding.largest(from, at, 2 * HALF) - m) / 15;
    float inverse = Rounding.inverse(d);
    Bytes.putHalf(to, offset, d);
    Bytes.putHalf(to, offset + MINIMUM, m);
    for (int i = 0; i < HALF; i++) {
      int low = nibble((from[at + i] - m) * inverse);
      int high = nibble((from[at + HALF + i] - m) * inverse);
      Bytes.put(to, offset + QUANTS + i, low | high << 4);
    }
  }

  private static int nibble(float scaled) {
    return Math.min(15, (int) (scaled + 0.5f));
  }
}
