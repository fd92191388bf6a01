package weft.quant;

import java.lang.foreign.MemorySegment;

/**
 * 32 four-bit floats (sign, two exponent bits, one mantissa bit) under a power of two, as the OCP
 * microscaling specification has them: {@code e:1, q:16}; byte {@code i} holds value {@code i}
 * below and value {@code i + 16} above.
 */
public record MXFP4() implements Encoding {
  private static final int HALF = 16;
  private static final int QUANTS = 1;
  private static final int BIAS = 127;

  /** The sixteen values, doubled to be whole. */
  private static final byte[] DOUBLED = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

  @Override
  public StorageType type() {
    return StorageType.MXFP4;
  }

  @Override
  public void decodeBlock(MemorySegment from, long offset, float[] to, int at) {
    float half = halfOfPower(Bytes.unsigned(from, offset));
    for (int i = 0; i < HALF; i++) {
      int pair = Bytes.unsigned(from, offset + QUANTS + i);
      to[at + i] = half * DOUBLED[pair & 15];
      to[at + HALF + i] = half * DOUBLED[pair >> 4];
    }
  }

  @Override
  public void encodeBlock(float[] from, int at, MemorySegment to, long offset) {
    // 6 = 1.5·2² is the largest value, so the largest power of two in the block takes exponent 2.
    int power = Math.getExponent(Rounding.largestMagnitude(from, at, 2 * HALF)) - 2;
    int exponent = Math.max(0, power + BIAS);
    float half = halfOfPower(exponent);
    Bytes.put(to, offset, exponent);
    for (int i = 0; i < HALF; i++) {
      int low = nearest(from[at + i], half);
      int high = nearest(from[at + HALF + i], half);
      Bytes.put(to, offset + QUANTS + i, low | high << 4);
    }
  }

  /** Half of 2^(exponent − 127): the factor that goes with the doubled values. */
  private static float halfOfPower(int exponent) {
    return Math.scalb(0.5f, exponent - BIAS);
  }

  private static int nearest(float x, float half) {
    int best = 0;
    for (int i = 1; i < DOUBLED.length; i++) {
      if (Math.abs(DOUBLED[i] * half - x) < Math.abs(DOUBLED[best] * half - x)) {
        best = i;
      }
    }
    return best;
  }
}
