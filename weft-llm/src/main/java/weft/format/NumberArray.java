package weft.format;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** An immutable array of numbers or flags, kept as packed as the file has it. */
public final class NumberArray {
  private final ValueType element;
  private final int size;
  private final MemorySegment packed;

  /** Takes over {@code packed}: whole elements, little-endian. */
  NumberArray(ValueType element, MemorySegment packed) {
    this.element = element;
    this.size = (int) (packed.byteSize() / element.bytes().orElseThrow());
    this.packed = packed.asReadOnly();
  }

  private NumberArray(ValueType element, byte[] packed) {
    this(element, MemorySegment.ofArray(packed));
  }

  /** Whole numbers or flags, each cut to the element's width. */
  public static NumberArray of(ValueType element, long... values) {
    int width = element.bytes().orElseThrow();
    var packed = new byte[Math.multiplyExact(values.length, width)];
    for (int i = 0; i < values.length; i++) {
      for (int b = 0; b < width; b++) {
        packed[i * width + b] = (byte) (values[i] >> 8 * b);
      }
    }
    return new NumberArray(element, packed);
  }

  public static NumberArray ofFloats(float... values) {
    var packed = new byte[Math.multiplyExact(values.length, Float.BYTES)];
    MemorySegment.copy(
        values, 0, MemorySegment.ofArray(packed), LittleEndian.FLOAT, 0, values.length);
    return new NumberArray(ValueType.FLOAT32, packed);
  }

  public static NumberArray ofDoubles(double... values) {
    var packed = new byte[Math.multiplyExact(values.length, Double.BYTES)];
    MemorySegment.copy(
        values, 0, MemorySegment.ofArray(packed), LittleEndian.DOUBLE, 0, values.length);
    return new NumberArray(ValueType.FLOAT64, packed);
  }

  public ValueType element() {
    return element;
  }

  public int size() {
    return size;
  }

  /** The elements as they lie in the file. */
  public MemorySegment packed() {
    return packed;
  }

  /** The element at {@code index} of an array of whole numbers or flags (0 or 1). */
  public long integer(int index) {
    Objects.checkIndex(index, size);
    return switch (element) {
      case UINT8, BOOL -> packed.get(LittleEndian.BYTE, index) & 0xFFL;
      case INT8 -> packed.get(LittleEndian.BYTE, index);
      case UINT16 -> packed.get(LittleEndian.SHORT, 2L * index) & 0xFFFFL;
      case INT16 -> packed.get(LittleEndian.SHORT, 2L * index);
      case UINT32 -> packed.get(LittleEndian.INT, 4L * index) & 0xFFFF_FFFFL;
      case INT32 -> packed.get(LittleEndian.INT, 4L * index);
      case UINT64, INT64 -> packed.get(LittleEndian.LONG, 8L * index);
      case FLOAT32, FLOAT64, STRING, ARRAY ->
          throw new IllegalStateException("an array of " + element + " has no whole numbers");
    };
  }

  /** The element at {@code index} as a floating-point number, whatever its type. */
  public double real(int index) {
    Objects.checkIndex(index, size);
    return switch (element) {
      case FLOAT32 -> packed.get(LittleEndian.FLOAT, 4L * index);
      case FLOAT64 -> packed.get(LittleEndian.DOUBLE, 8L * index);
      case UINT8, INT8, UINT16, INT16, UINT32, INT32, BOOL, INT64 -> integer(index);
      case UINT64 -> unsigned(integer(index));
      case STRING, ARRAY -> throw new IllegalStateException("an array of " + element);
    };
  }

  public long[] integers() {
    var all = new long[size];
    for (int i = 0; i < size; i++) {
      all[i] = integer(i);
    }
    return all;
  }

  public float[] reals() {
    var all = new float[size];
    for (int i = 0; i < size; i++) {
      all[i] = (float) real(i);
    }
    return all;
  }

  private static double unsigned(long bits) {
    return bits >= 0 ? bits : (bits >>> 1 | bits & 1) * 2.0;
  }
}
