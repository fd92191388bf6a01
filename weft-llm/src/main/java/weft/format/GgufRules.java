package weft.format;

import java.util.List;
import java.util.function.Function;
import weft.quant.StorageType;

/** What GGUF asks of a file whether it is read or written. */
final class GgufRules {
  static final byte[] MAGIC = {'G', 'G', 'U', 'F'};
  static final int NEWEST_VERSION = 3;
  static final int MOST_DIMENSIONS = 4;
  static final int LONGEST_NAME = 65_535;
  static final String ALIGNMENT_KEY = "general.alignment";

  private static final long DEFAULT_ALIGNMENT = 32;
  private static final long LARGEST_ALIGNMENT = 1 << 20;

  private GgufRules() {}

  /** The bytes of a tensor; {@code broken} makes the exception for a shape that cannot be. */
  static long byteSize(
      StorageType type, List<Long> shape, Function<String, FormatException> broken) {
    if (shape.isEmpty() || shape.size() > MOST_DIMENSIONS) {
      throw broken.apply(
          "dimension count is %d, expected 1 to %d".formatted(shape.size(), MOST_DIMENSIONS));
    }
    if (shape.stream().anyMatch(dimension -> dimension < 1)) {
      throw broken.apply("shape is %s, expected dimensions of at least 1".formatted(shape));
    }
    if (shape.getLast() % type.blockValues() != 0) {
      throw broken.apply(
          "rows of %d values are not whole %s blocks of %d"
              .formatted(shape.getLast(), type, type.blockValues()));
    }
    try {
      return type.bytes(shape.stream().reduce(1L, Math::multiplyExact));
    } catch (ArithmeticException _) {
      throw broken.apply("shape %s of %s is more than 2^63 - 1 bytes".formatted(shape, type));
    }
  }

  static long alignment(Metadata metadata) {
    long alignment = metadata.integer(ALIGNMENT_KEY).orElse(DEFAULT_ALIGNMENT);
    if (alignment < 1 || alignment > LARGEST_ALIGNMENT || Long.bitCount(alignment) != 1) {
      throw new FormatException(
          "%s: %s is %d, expected a power of two from 1 to %d"
              .formatted(metadata.source(), ALIGNMENT_KEY, alignment, LARGEST_ALIGNMENT));
    }
    return alignment;
  }

  static long align(long position, long alignment) {
    return Math.multiplyExact(Math.ceilDiv(position, alignment), alignment);
  }
}
