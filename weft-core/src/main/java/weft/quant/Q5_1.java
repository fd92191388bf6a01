package weft.quant;

import java.lang.foreign.MemorySegment;

/**
 * 32 five-bit numbers under a half-float scale and minimum: {@code d:2, m:2, high bits:4, q:16},
 * value {@code d·q + m}; bit {@code i} of the high bits is the fifth bit of value {@code i}.
 */
public record Q5_1() implements Encoding {
  private static final int HALF = 16;
  private static final int MINIMUM = 2;
  private static final int HIGH_BITS = 4;
  private static final int QUANTS = 8;

  @Override
  public StorageType type() {
    return StorageType.Q5_1;
  }

  @Override
  public void decodeBlock(MemorySegment from, long offset, float[] to, int at) {
    float d = Bytes.half(from, offset);
    float m = Bytes.half(from, offset + MINIMUM);
    int high = from.get(Bytes.INT, offset + HIGH_BITS);
    for (int i = 0; i < HALF; i++) {
      int pair = Bytes.unsigned(from, offset + QUANTS + i);
      to[at + i] = d * (pair & 15 | (high >>> i & 1) << 4) + m;
      to[at + HALF + i] = d * (pair >> 4 | (high >>> i + HALF & 1) << 4) + m;
    }
  }

  @Override
  public void encodeBlock(float[] from, int at, MemorySegment to, long offset) {
    float m = Rounding.smallest(from, at, 2 * HALF);
    float d = (Rounding.largest(from, at, 2 * HALF) - m) / 31;
    float inverse = Rounding.inverse(d);
    int highBits = 0;
    for (int i = 0; i < HALF; i++) {
      int low = (int) ((from[at + i] - m) * inverse + 0.5f);
      int high = (int) ((from[at + HALF + i] - m) * inverse + 0.5f);
      Bytes.put(to, offset + QUANTS + i, low & 15 | (high & 15) << 4);
      highBits |= low >> 4 << i | high >> 4 << i + HALF;
    }
    Bytes.putHalf(to, offset, d);
    Bytes.putHalf(to, offset + MINIMUM, m);
    to.set(Bytes.INT, offset + HIGH_BITS, highBits);
  }
}
