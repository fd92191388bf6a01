package weft.quant;

import java.lang.foreign.MemorySegment;

/** 32 signed bytes under one half-float scale: {@code d:2, q:32}, value {@code d·q}. */
public record Q8_0() implements Encoding {
  private static final int VALUES = 32;
  private static final int QUANTS = 2;

  @Override
  public StorageType type() {
    return StorageType.Q8_0;
  }

  @Override
  public void decodeBlock(MemorySegment from, long offset, float[] to, int at) {
    float d = Bytes.half(from, offset);
    for (int i = 0; i < VALUES; i++) {
      to[at + i] = d * Bytes.signed(from, offset + QUANTS + i);
    }
  }

  @Override
  public void encodeBlock(float[] from, int at, MemorySegment to, long offset) {
    float d = Rounding.largestMagnitude(from, at, VALUES) / 127;
    float inverse = Rounding.inverse(d);
    Bytes.putHalf(to, offset, d);
    for (int i = 0; i < VALUES; i++) {
      Bytes.put(to, offset + QUANTS + i, Rounding.halfAway(from[at + i] * inverse));
    }
  }
}
