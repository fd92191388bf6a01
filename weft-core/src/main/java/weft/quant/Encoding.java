package weft.quant;

import java.lang.foreign.MemorySegment;

/**
 * How a weight's values lie in bytes: blocks of {@code blockValues} numbers in {@code blockBytes}.
 *
 * <p>A row is always a whole number of blocks. Decoding is the definition of the format; kernels
 * are compared with it.
 */
public interface Encoding {
  /** The name in GGUF's own spelling: {@code Q4_K}, {@code BF16}. */
  String name();

  /** The number of this type in a GGUF file. */
  int ggufId();

  int blockValues();

  int blockBytes();

  /** Decodes {@code values} numbers, a whole number of blocks, that start at {@code offset}. */
  void decode(MemorySegment from, long offset, float[] to, int at, int values);

  /** Encodes {@code values} numbers, a whole number of blocks, to the bytes at {@code offset}. */
  void encode(float[] from, int at, int values, MemorySegment to, long offset);

  /** The bytes that {@code values} numbers take. */
  default long bytes(long values) {
    if (values % blockValues() != 0) {
      throw new QuantException(
          values + " values are not a whole number of " + name() + " blocks of " + blockValues());
    }
    return Math.multiplyExact(values / blockValues(), (long) blockBytes());
  }
}
