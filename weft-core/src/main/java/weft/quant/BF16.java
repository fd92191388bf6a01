package weft.quant;

import java.lang.foreign.MemorySegment;

/** The upper half of a single-precision float; encoding rounds to nearest even. */
public record BF16() implements Encoding {
  private static final int QUIET_NAN_BIT = 0x40_0000;

  @Override
  public StorageType type() {
    return StorageType.BF16;
  }

  @Override
  public void decodeBlock(MemorySegment from, long offset, float[] to, int at) {
    to[at] = widen(from.get(Bytes.SHORT, offset));
  }

  @Override
  public void encodeBlock(float[] from, int at, MemorySegment to, long offset) {
    int bits = Float.floatToRawIntBits(from[at]);
    // A NaN whose payload lies in the lower half would round to infinity.
    int rounded = Float.isNaN(from[at]) ? bits | QUIET_NAN_BIT : bits + 0x7FFF + (bits >>> 16 & 1);
    to.set(Bytes.SHORT, offset, (short) (rounded >>> 16));
  }

  /** A loop of its own, because a call for each value costs more than the value. */
  @Override
  public void decode(MemorySegment from, long offset, float[] to, int at, int values) {
    for (int i = 0; i < values; i++) {
      to[at + i] = widen(from.get(Bytes.SHORT, offset + 2L * i));
    }
  }

  private static float widen(short upper) {
    return Float.intBitsToFloat(upper << 16);
  }
}
