package weft.quant;

import java.lang.foreign.MemorySegment;

/**
 * 256 ternary numbers, two bits each, under one half-float scale: {@code q:64, d:2}, value {@code
 * d·(q − 1)}; each 32 bytes hold 128 values, a quarter of them in each pair of bits.
 */
public record TQ2_0() implements Encoding {
  private static final int VALUES = 256;
  private static final int RUN = 32;
  private static final int SCALE = 64;

  @Override
  public StorageType type() {
    return StorageType.TQ2_0;
  }

  @Override
  public void decodeBlock(MemorySegment from, long offset, float[] to, int at) {
    float d = Bytes.half(from, offset + SCALE);
    for (int i = 0; i < VALUES; i++) {
      int four = Bytes.unsigned(from, offset + i / (4 * RUN) * RUN + i % RUN);
      to[at + i] = d * ((four >> 2 * (i / RUN % 4) & 3) - 1);
    }
  }

  @Override
  public void encodeBlock(float[] from, int at, MemorySegment to, long offset) {
    float d = Rounding.largestMagnitude(from, at, VALUES);
    float inverse = Rounding.inverse(d);
    for (int i = 0; i < SCALE; i++) {
      int first = at + i / RUN * 4 * RUN + i % RUN;
      int four = 0;
      for (int quarter = 0; quarter < 4; quarter++) {
        int digit = Rounding.halfAway(from[first + quarter * RUN] * inverse) + 1;
        four |= digit << 2 * quarter;
      }
      Bytes.put(to, offset + i, four);
    }
    Bytes.putHalf(to, offset + SCALE, d);
  }
}
