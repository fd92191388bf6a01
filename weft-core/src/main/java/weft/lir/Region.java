package weft.lir;

import weft.ir.Type;

/** One buffer's place in the memory it shares with buffers that live at other times. */
public record Region(int id, long offset, long bytes, Lifetime lifetime) {
  /** A cache line, and what the widest vector load likes: every place begins and ends at one. */
  private static final long ALIGNMENT = 64;

  public enum Lifetime {
    /** Within one step; the place is reused. */
    STEP,
    /** Computed once when the program is loaded. */
    PROGRAM
  }

  /** What a buffer of this type takes in the largest step there can be. */
  public static long bytes(Type type, Bounds bounds) {
    try {
      long bytes = Math.multiplyExact(bounds.elements(type), (long) Float.BYTES);
      return Math.multiplyExact(Math.ceilDiv(bytes, ALIGNMENT), ALIGNMENT);
    } catch (ArithmeticException e) {
      throw new ProgramException(
          "a buffer of " + type + " for " + bounds + " takes over 2^63 bytes", e);
    }
  }

  /** Behind the last byte. */
  long end() {
    return offset + bytes;
  }

  boolean isAligned() {
    return offset >= 0 && offset % ALIGNMENT == 0;
  }
}
