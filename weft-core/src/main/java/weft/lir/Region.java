package weft.lir;

import weft.ir.Type;

/** One buffer's place in the memory it shares with buffers that live at other times. */
public record Region(int id, long offset, long bytes, Lifetime lifetime) {
  /** What the widest vector load of a CPU likes. */
  static final int CACHE_LINE = 64;

  public enum Lifetime {
    /** Within one step; the place is reused. */
    STEP,
    /** Computed once when the program is loaded. */
    PROGRAM
  }

  /**
   * What a buffer of this type takes in the largest step there can be, up to where one may begin.
   */
  public static long bytes(Type type, Bounds bounds, int alignment) {
    try {
      long bytes = Math.multiplyExact(bounds.elements(type), (long) type.dtype().bytes());
      return Math.multiplyExact(Math.ceilDiv(bytes, alignment), (long) alignment);
    } catch (ArithmeticException e) {
      throw new ProgramException(
          "a buffer of " + type + " for " + bounds + " takes over 2^63 bytes", e);
    }
  }

  /** Behind the last byte. */
  long end() {
    return offset + bytes;
  }

  boolean isAligned(int alignment) {
    return offset >= 0 && offset % alignment == 0;
  }
}
