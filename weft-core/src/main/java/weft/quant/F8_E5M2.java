package weft.quant;

import java.lang.foreign.MemorySegment;

/** The upper byte of a half float; encoding rounds to nearest even. */
public record F8_E5M2() implements Encoding {
  private static final EightBitFloat SHAPE = new EightBitFloat(2, 15, 57344);

  @Override
  public StorageType type() {
    return StorageType.F8_E5M2;
  }

  @Override
  public void decodeBlock(MemorySegment from, long offset, float[] to, int at) {
    to[at] = Float.float16ToFloat((short) (Bytes.signed(from, offset) << 8));
  }

  @Override
  public void encodeBlock(float[] from, int at, MemorySegment to, long offset) {
    Bytes.put(to, offset, SHAPE.nearest(from[at]));
  }
}
