package weft.quant;

import java.lang.foreign.MemorySegment;

/** IEEE double precision; decoding rounds to single precision. */
public record F64() implements Encoding {
  @Override
  public StorageType type() {
    return StorageType.F64;
  }

  @Override
  public void decodeBlock(MemorySegment from, long offset, float[] to, int at) {
    to[at] = (float) from.get(Bytes.DOUBLE, offset);
  }

  @Override
  public void encodeBlock(float[] from, int at, MemorySegment to, long offset) {
    to.set(Bytes.DOUBLE, offset, from[at]);
  }
}
