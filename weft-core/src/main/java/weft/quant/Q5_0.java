package weft.quant;

import java.lang.foreign.MemorySegment;

/**
 * 32 five-bit numbers under one half-float scale: {@code d:2, high bits:4, q:16}, value {@code d·(q
 * − 16)}; bit {@code i} of the high bits is the fifth bit of value {@code i}.
 */
public record Q5_0() implements Encoding {
  private static final int HALF = 16;
  private static final int HIGH_BITS = 2;
  private static final int QUANTS = 6;

  @Override
  public StorageType type() {
    return StorageType.Q5_0;
  }

  @Override
  public void decodeBlock(MemorySegment from, long offset, float[] to, int at) {
    float d = Bytes.half(from, offset);
    int high = from.get(Bytes.INT, offset + HIGH_BITS);
    for (int i = 0; i < HALF; i++) {
      int pair = Bytes.unsigned(from, offset + QUANTS + i);
      to[at + i] = d * ((pair & 15 | (high >>> i & 1) << 4) - 16);
      to[at + HALF + i] = d * ((pair >> 4 | (high >>> i + HALF & 1) << 4) - 16);
    }
  }

  @Override
  public void encodeBlock(float[] from, int at, MemorySegment to, long offset) {
    float d = Rounding.farthestFromZero(from, at, 2 * HALF) / -16;
    float inverse = Rounding.inverse(d);
    int highBits = 0;
    for (int i = 0; i < HALF; i++) {
      int low = fiveBits(from[at + i] * inverse);
      int high = fiveBits(from[at + HALF + i] * inverse);
      Bytes.put(to, offset + QUANTS + i, low & 15 | (high & 15) << 4);
      highBits |= low >> 4 << i | high >> 4 << i + HALF;
    }
    Bytes.putHalf(to, offset, d);
    to.set(Bytes.INT, offset + HIGH_BITS, highBits);
  }

  private static int fiveBits(float scaled) {
    return Math.min(31, (int) (scaled + 16.5f));
  }
}
