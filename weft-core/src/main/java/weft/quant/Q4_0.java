package weft.quant;

import java.lang.foreign.MemorySegment;

/**
 * 32 nibbles under one half-float scale: {@code d:2, q:16}, value {@code d·(q − 8)}; byte {@code i}
 * holds value {@code i} below and value {@code i + 16} above.
 */
public record Q4_0() implements Encoding {
  private static final int HALF = 16;
  private static final int QUANTS = 2;

  @Override
  public StorageType type() {
    return StorageType.Q4_0;
  }

  @Override
  public void decodeBlock(MemorySegment from, long offset, float[] to, int at) {
    float d = Bytes.half(from, offset);
    for (int i = 0; i < HALF; i++) {
      int pair = Bytes.unsigned(from, offset + QUANTS + i);
      to[at + i] = d * ((pair & 15) - 8);
      to[at + HALF + i] = d * ((pair >> 4) - 8);
    }
  }

  @Override
  public void encodeBlock(float[] from, int at, MemorySegment to, long offset) {
    // The farthest value takes −8, the end of the range that reaches one step farther.
    float d = Rounding.farthestFromZero(from, at, 2 * HALF) / -8;
    float inverse = Rounding.inverse(d);
    Bytes.putHalf(to, offset, d);
    for (int i = 0; i < HALF; i++) {
      int low = nibble(from[at + i] * inverse);
      int high = nibble(from[at + HALF + i] * inverse);
      Bytes.put(to, offset + QUANTS + i, low | high << 4);
    }
  }

  private static int nibble(float scaled) {
    return Math.min(15, (int) (scaled + 8.5f));
  }
}
