package weft.quant;

import java.lang.foreign.MemorySegment;

/** IEEE half precision; encoding rounds to nearest even. */
public record F16() implements Encoding {
  @Override
  public StorageType type() {
    return StorageType.F16;
  }

  @Override
  public void decodeBlock(MemorySegment from, long offset, float[] to, int at) {
    to[at] = Bytes.half(from, offset);
  }

  @Override
  public void encodeBlock(float[] from, int at, MemorySegment to, long offset) {
    Bytes.putHalf(to, offset, from[at]);
  }
}
