package weft.backend;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import weft.ir.DType;

/** Single numbers of a buffer in whatever element type it has; a number that is none stays none. */
final class Elements {
  private static final int HALF = 16;

  private Elements() {}

  static float get(DType dtype, MemorySegment buffer, long index) {
    return switch (dtype) {
      case F32 -> buffer.getAtIndex(ValueLayout.JAVA_FLOAT, index);
      case F16 -> Float.float16ToFloat(buffer.getAtIndex(ValueLayout.JAVA_SHORT, index));
      case BF16 -> Float.intBitsToFloat(buffer.getAtIndex(ValueLayout.JAVA_SHORT, index) << HALF);
      case I32 -> throw noNumber();
    };
  }

  static void set(DType dtype, MemorySegment buffer, long index, float value) {
    switch (dtype) {
      case F32 -> buffer.setAtIndex(ValueLayout.JAVA_FLOAT, index, value);
      case F16 -> buffer.setAtIndex(ValueLayout.JAVA_SHORT, index, Float.floatToFloat16(value));
      case BF16 -> buffer.setAtIndex(ValueLayout.JAVA_SHORT, index, nearestBFloat(value));
      case I32 -> throw noNumber();
    }
  }

  /** The upper half of the bits, rounded to the nearest, to the even one of two as near. */
  private static short nearestBFloat(float value) {
    int bits = Float.floatToRawIntBits(value);
    if (Float.isNaN(value)) return (short) ((bits >>> HALF) | 0x40);
    return (short) ((bits + 0x7FFF + ((bits >>> HALF) & 1)) >>> HALF);
  }

  private static BackendException noNumber() {
    return new BackendException("a buffer holds f32, f16 or bf16 numbers; i32 are a step's lists");
  }
}
