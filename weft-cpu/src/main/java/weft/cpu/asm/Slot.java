package weft.cpu.asm;

/**
 * The place of one operand in a form, and what fits it.
 *
 * @param bits the operand's size, or {@link #BY_W} or {@link #BY_LENGTH}
 * @param divisor the part of the vector length taken, where bits is {@link #BY_LENGTH}
 * @param memoryBits the bits read or written where the operand is memory, 0 for the operand's own
 * @param broadcastBits the element that may be repeated, 0 where none may
 */
record Slot(
    Place place,
    Kind kind,
    boolean register,
    boolean memory,
    int bits,
    int divisor,
    int memoryBits,
    int broadcastBits,
    boolean rounding) {

  /** The size is 32 or 64 bits, as REX.W or VEX.W says. */
  static final int BY_W = -1;

  /** The size follows the instruction's vector length. */
  static final int BY_LENGTH = -2;

  enum Place {
    REG,
    RM,
    VVVV,
    OPCODE,
    HIGH_NIBBLE,
    IMMEDIATE,
    BRANCH,
    IMPLIED
  }

  enum Kind {
    GENERAL,
    VECTOR,
    MASK,
    TILE,
    /** Memory whose lines are as far apart as the index of the address says. */
    STRIDED,
    SIGNED,
    UNSIGNED,
    LABEL,
    COUNT_CL,
    COUNT_ONE
  }

  /** The size of a vector register here when the instruction's length is {@code length} bits. */
  int vectorBits(int length) {
    return bits == BY_LENGTH ? Math.max(128, length / divisor) : bits;
  }

  /** The bits of memory that this operand stands for. */
  int sizeInMemory(int length, boolean wide, boolean broadcast) {
    if (broadcast) {
      return broadcastBits;
    }
    if (memoryBits != 0) {
      return memoryBits;
    }
    return switch (bits) {
      case BY_W -> wide ? 64 : 32;
      case BY_LENGTH -> length / divisor;
      default -> bits;
    };
  }
}
