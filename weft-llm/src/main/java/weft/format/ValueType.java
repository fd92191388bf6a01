package weft.format;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The types of a GGUF metadata value, in the order of their numbers in the file. */
public enum ValueType {
  UINT8(1),
  INT8(1),
  UINT16(2),
  INT16(2),
  UINT32(4),
  INT32(4),
  FLOAT32(4),
  BOOL(1),
  STRING(0),
  ARRAY(0),
  UINT64(8),
  INT64(8),
  FLOAT64(8);

  private static final List<ValueType> BY_ID = List.of(values());

  private final int bytes;

  ValueType(int bytes) {
    this.bytes = bytes;
  }

  static Optional<ValueType> byId(long id) {
    return 0 <= id && id < BY_ID.size() ? Optional.of(BY_ID.get((int) id)) : Optional.empty();
  }

  static String known() {
    return "0 to " + (BY_ID.size() - 1) + " " + Arrays.toString(values());
  }

  int id() {
    return ordinal();
  }

  /** The bytes that one value takes; strings and arrays have no fixed size. */
  OptionalInt bytes() {
    return bytes == 0 ? OptionalInt.empty() : OptionalInt.of(bytes);
  }

  boolean isWhole() {
    return switch (this) {
      case UINT8, INT8, UINT16, INT16, UINT32, INT32, UINT64, INT64 -> true;
      case FLOAT32, FLOAT64, BOOL, STRING, ARRAY -> false;
    };
  }

  boolean isReal() {
    return this == FLOAT32 || this == FLOAT64;
  }
}
