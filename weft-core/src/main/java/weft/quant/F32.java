package weft.quant;

import java.lang.foreign.MemorySegment;

/** IEEE single precision: decoding and encoding are copies. */
public record F32() implements Encoding {
  @Override
  public StorageType type() {
    return StorageType.F32;
  }

  @Override
  public void decodeBlock(MemorySegment from, long offset, float[] to, int at) {
    to[at] = from.get(Bytes.FLOAT, offset);
  }

  @Override
  public void encodeBlock(float[] from, int at, MemorySegment to, long offset) {
    to.set(Bytes.FLOAT, offset, from[at]);
  }

  @Override
  public void decode(MemorySegment from, long offset, float[] to, int at, int values) {
    MemorySegment.copy(from, Bytes.FLOAT, offset, to, at, values);
  }

  @Override
  public void encode(float[] from, int at, int values, MemorySegment to, long offset) {
    MemorySegment.copy(from, at, to, Bytes.FLOAT, offset, values);
  }
}
