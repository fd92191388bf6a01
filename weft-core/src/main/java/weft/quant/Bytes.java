package weft.quant;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** The fields of a block: little-endian numbers at any byte, half floats, packed bits. */
final class Bytes {
  static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfDouble DOUBLE =
      ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Bytes() {}

  static int signed(MemorySegment from, long offset) {
    return from.get(ValueLayout.JAVA_BYTE, offset);
  }

  static int unsigned(MemorySegment from, long offset) {
    return from.get(ValueLayout.JAVA_BYTE, offset) & 0xFF;
  }

  static void put(MemorySegment to, long offset, int value) {
    to.set(ValueLayout.JAVA_BYTE, offset, (byte) value);
  }

  /** Adds bits to a byte that has none of them yet. */
  static void or(MemorySegment to, long offset, int bits) {
    put(to, offset, unsigned(to, offset) | bits);
  }

  static float half(MemorySegment from, long offset) {
    return Float.float16ToFloat(from.get(SHORT, offset));
  }

  static void putHalf(MemorySegment to, long offset, float value) {
    to.set(SHORT, offset, Float.floatToFloat16(value));
  }
}
