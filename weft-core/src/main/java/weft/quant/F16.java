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

  /** A loop of its own, because a call for each value costs more than the value. */
  @Override
  public void decode(MemorySegment from, long offset, float[] to, int at, int values) {
    for (int i = 0; i < values; i++) {
      to[at + i] = Bytes.half(from, offset + 2L * i);
    }
  }
}
