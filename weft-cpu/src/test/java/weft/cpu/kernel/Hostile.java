package weft.cpu.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Random;

/** Data that no healthy model has, but a file may. */
enum Hostile {
  NAN(Float.NaN),
  INFINITE(Float.POSITIVE_INFINITY),
  MINUS_INFINITE(Float.NEGATIVE_INFINITY),
  SUBNORMAL(Float.MIN_VALUE),
  GREATEST(Float.MAX_VALUE),
  EQUAL(1),
  ZERO(0),
  RANDOM(Float.NaN);

  private final float number;

  Hostile(float number) {
    this.number = number;
  }

  /** How the bytes of a buffer are numbers. */
  enum Form {
    FLOATS,
    /** Bytes in which halves lie somewhere. */
    PACKED
  }

  void fill(MemorySegment memory, Form form, Random random) {
    if (this == RANDOM) {
      bits(memory, random);
      return;
    }
    switch (form) {
      case FLOATS -> {
        for (long at = 0; at + Float.BYTES <= memory.byteSize(); at += Float.BYTES) {
          memory.set(JAVA_FLOAT_UNALIGNED, at, number);
        }
      }
      case PACKED -> {
        short half = Float.floatToFloat16(number);
        // The least and the greatest float are none of a half's.
        if (this == SUBNORMAL) half = 1;
        if (this == GREATEST) half = Float.floatToFloat16(65504);
        for (long at = 0; at + Short.BYTES <= memory.byteSize(); at += Short.BYTES) {
          memory.set(JAVA_SHORT_UNALIGNED, at, half);
        }
      }
    }
  }

  static void bits(MemorySegment memory, Random random) {
    var bytes = new byte[Math.toIntExact(memory.byteSize())];
    random.nextBytes(bytes);
    MemorySegment.copy(bytes, 0, memory, JAVA_BYTE, 0, bytes.length);
  }
}
