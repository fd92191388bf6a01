package weft.quant;

import java.lang.foreign.MemorySegment;

/**
 * The eight-bit float without infinities, "FN" in the names of others: sign, four exponent bits,
 * three mantissa bits; only all ones is not a number.
 */
public record F8_E4M3() implements Encoding {
  private static final EightBitFloat SHAPE = new EightBitFloat(3, 7, 448);

  @Override
  public StorageType type() {
    return StorageType.F8_E4M3;
  }

  @Override
  public void decodeBlock(MemorySegment from, long offset, float[] to, int at) {
    to[at] = SHAPE.value(Bytes.unsigned(from, offset));
  }

  @Override
  public void encodeBlock(float[] from, int at, MemorySegment to, long offset) {
    Bytes.put(to, offset, SHAPE.nearest(from[at]));
  }
}
