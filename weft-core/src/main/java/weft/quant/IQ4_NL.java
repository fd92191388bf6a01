package weft.quant;

import java.lang.foreign.MemorySegment;

/**
 * 32 nibbles that index a table of levels denser around zero, under one half-float scale: {@code
 * d:2, q:16}; byte {@code i} holds value {@code i} below and value {@code i + 16} above.
 */
public record IQ4_NL() implements Encoding {
  private static final int HALF = 16;
  private static final int QUANTS = 2;

  @Override
  public StorageType type() {
    return StorageType.IQ4_NL;
  }

  @Override
  public void decodeBlock(MemorySegment from, long offset, float[] to, int at) {
    float d = Bytes.half(from, offset);
    for (int i = 0; i < HALF; i++) {
      int pair = Bytes.unsigned(from, offset + QUANTS + i);
      to[at + i] = d * NonLinear.level(pair & 15);
      to[at + HALF + i] = d * NonLinear.level(pair >> 4);
    }
  }

  @Override
  public void encodeBlock(float[] from, int at, MemorySegment to, long offset) {
    float d =
        Rounding.toHalf(
            ScaleSearch.scale(from, at, 2 * HALF, NonLinear.EXTREME, NonLinear::nearestLevel));
    float inverse = Rounding.inverse(d);
    Bytes.putHalf(to, offset, d);
    for (int i = 0; i < HALF; i++) {
      int low = NonLinear.nearest(from[at + i] * inverse);
      int high = NonLinear.nearest(from[at + HALF + i] * inverse);
      Bytes.put(to, offset + QUANTS + i, low | high << 4);
    }
  }
}
