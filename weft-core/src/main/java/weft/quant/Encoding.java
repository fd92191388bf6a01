package weft.quant;

import java.lang.foreign.MemorySegment;

/**
 * How a weight's values lie in bytes: blocks of {@code blockValues} numbers in {@code blockBytes}.
 *
 * <p>A row is always a whole number of blocks. Decoding is the definition of the format; kernels
 * are compared with it.
 */
public sealed interface Encoding
    permits F32,
        F16,
        BF16,
        F64,
        F8_E4M3,
        F8_E5M2,
        Q8_0,
        Q4_0,
        Q4_1,
        Q5_0,
        Q5_1,
        Q2_K,
        Q3_K,
        Q4_K,
        Q5_K,
        Q6_K,
        IQ4_NL,
        IQ4_XS,
        IQ3_S,
        MXFP4,
        TQ1_0,
        TQ2_0 {
  /** The entry in the table of storage types that gives this encoding its name and sizes. */
  StorageType type();

  /** Decodes the one block that starts at {@code offset}. */
  void decodeBlock(MemorySegment from, long offset, float[] to, int at);

  /** Encodes {@code blockValues} numbers to the block at {@code offset}. */
  void encodeBlock(float[] from, int at, MemorySegment to, long offset);

  /** The name in GGUF's own spelling: {@code Q4_K}, {@code BF16}. */
  default String name() {
    return type().name();
  }

  /** The number of this type in a GGUF file. */
  default int ggufId() {
    return type()
        .ggufId()
        .orElseThrow(
            () ->
                new QuantException(
                    name() + " has no number in GGUF: write the tensor as F16 or F32 there"));
  }

  default int blockValues() {
    return type().blockValues();
  }

  default int blockBytes() {
    return type().blockBytes();
  }

  /** Decodes {@code values} numbers, a whole number of blocks, that start at {@code offset}. */
  default void decode(MemorySegment from, long offset, float[] to, int at, int values) {
    long end = offset + bytes(values);
    for (int target = at; offset < end; offset += blockBytes(), target += blockValues()) {
      decodeBlock(from, offset, to, target);
    }
  }

  /** Encodes {@code values} numbers, a whole number of blocks, to the bytes at {@code offset}. */
  default void encode(float[] from, int at, int values, MemorySegment to, long offset) {
    long end = offset + bytes(values);
    for (int source = at; offset < end; offset += blockBytes(), source += blockValues()) {
      encodeBlock(from, source, to, offset);
    }
  }

  /** The bytes that {@code values} numbers take. */
  default long bytes(long values) {
    return type().bytes(values);
  }
}
