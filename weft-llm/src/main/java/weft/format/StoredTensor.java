package weft.format;

import java.lang.foreign.MemorySegment;
import java.util.List;
import weft.quant.Encoding;
import weft.quant.Encodings;
import weft.quant.StorageType;

/**
 * A tensor as its file holds it: {@code bytes} is a read-only view that dies with the checkpoint,
 * {@code shape} is outermost first (GGUF's order reversed), empty for a scalar.
 */
public record StoredTensor(String name, StorageType type, List<Long> shape, MemorySegment bytes) {
  public StoredTensor {
    shape = List.copyOf(shape);
  }

  /** How to compute with the bytes; a type that weft can only list is an error. */
  public Encoding encoding() {
    return type.encoding()
        .orElseThrow(
            () ->
                new FormatException(
                    Quoted.text(name)
                        + " is stored as "
                        + type
                        + ", which weft cannot decode; it reads "
                        + Encodings.names()
                        + ". Use another quantization of this model."));
  }

  /** The number of elements. */
  public long values() {
    return values(shape);
  }

  /** The number of elements of a shape; one that is nothing along an axis has none at all. */
  static long values(List<Long> shape) {
    return shape.contains(0L) ? 0 : shape.stream().reduce(1L, Math::multiplyExact);
  }
}
