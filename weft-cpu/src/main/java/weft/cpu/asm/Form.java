package weft.cpu.asm;

import java.util.List;
import java.util.Optional;

/**
 * One way to encode an instruction, read from its row in the table.
 *
 * @param text the row
 * @param prefix 0, or the byte 66, F3 or F2 that is part of the opcode
 * @param lock true where a lock prefix comes first
 * @param map opcode map of VEX and EVEX: 1 for 0F, 2 for 0F38, 3 for 0F3A
 * @param wide W is set by the row, whatever the operands are
 * @param lengths the vector lengths allowed, as the sum of 128, 256 and 512; 0 where there is none
 * @param opcode the opcode bytes after the prefixes
 * @param digit the digit in ModRM.reg, {@link #REGISTER} for /r or {@link #NO_MODRM}
 * @param last a fixed last byte, or -1
 */
record Form(
    String text,
    Scheme scheme,
    int prefix,
    boolean lock,
    int map,
    boolean wide,
    int lengths,
    List<Integer> opcode,
    int digit,
    int last,
    boolean maskable,
    List<Slot> slots) {

  static final int REGISTER = -1;
  static final int NO_MODRM = -2;

  enum Scheme {
    LEGACY,
    VEX,
    EVEX
  }

  /** What the operands decide: the vector length in bits, W, and the rounding asked for. */
  record Match(int length, boolean wide, Optional<Rounding> rounding, List<Operand> operands) {}

  /** How this form takes the operands, or nothing where it does not. */
  Optional<Match> match(List<Operand> given) {
    Optional<Rounding> rounding =
        !given.isEmpty() && given.getLast() instanceof Rounding r
            ? Optional.of(r)
            : Optional.empty();
    var operands = rounding.isPresent() ? given.subList(0, given.size() - 1) : given;
    if (operands.size() != slots.size()) {
      return Optional.empty();
    }
    int length = lengthOf(operands);
    if ((lengths & length) != length) {
      return Optional.empty();
    }
    if (rounding.isPresent() && !takesRounding(operands, length)) {
      return Optional.empty();
    }
    boolean w = wide || wideOf(operands);
    for (int i = 0; i < slots.size(); i++) {
      if (!fits(slots.get(i), operands.get(i), length, w, i == 0)) {
        return Optional.empty();
      }
    }
    return Optional.of(new Match(length, w, rounding, operands));
  }

  private boolean takesRounding(List<Operand> operands, int length) {
    return length == 512
        && slots.stream().anyMatch(Slot::rounding)
        && operands.stream().noneMatch(Mem.class::isInstance);
  }

  private int lengthOf(List<Operand> operands) {
    for (int i = 0; i < operands.size(); i++) {
      var slot = slots.get(i);
      if (slot.bits() == Slot.BY_LENGTH
          && slot.divisor() == 1
          && plain(operands.get(i)) instanceof Vec v) {
        return v.bits();
      }
    }
    // Every operand has its own size, so the row names the one length.
    return lengths == 0 ? 0 : Integer.highestOneBit(lengths);
  }

  private boolean wideOf(List<Operand> operands) {
    boolean wide = false;
    for (int i = 0; i < operands.size(); i++) {
      if (slots.get(i).bits() == Slot.BY_W) {
        var operand = operands.get(i);
        wide |= operand instanceof Gpr g && g.bits() == 64;
        wide |= operand instanceof Mem m && m.bits() == 64;
      }
    }
    return wide;
  }

  /** True where memory has no size of its own and no register of the same size says it. */
  private boolean sizeUnknown(Slot slot, Mem memory) {
    if (memory.bits() != 0 || scheme != Scheme.LEGACY || slot.bits() == 0) {
      return false;
    }
    for (var other : slots) {
      if (other.kind() == Slot.Kind.GENERAL && !other.memory() && other.bits() == slot.bits()) {
        return false;
      }
    }
    return true;
  }

  private boolean fits(Slot slot, Operand operand, int length, boolean wide, boolean destination) {
    if (operand instanceof Masked m) {
      return destination
          && scheme == Scheme.EVEX
          && maskable
          && fits(slot, m.target(), length, wide, true);
    }
    if (operand instanceof Mem memory) {
      return memoryFits(slot, memory, length, wide);
    }
    return switch (slot.kind()) {
      case GENERAL ->
          operand instanceof Gpr g
              && slot.register()
              && g.bits() == (slot.bits() == Slot.BY_W ? (wide ? 64 : 32) : slot.bits());
      case VECTOR ->
          operand instanceof Vec v
              && slot.register()
              && v.bits() == slot.vectorBits(length)
              && (scheme == Scheme.EVEX || v.number() < 16);
      case MASK -> operand instanceof Mask && slot.register();
      case STRIDED -> false;
      case TILE -> operand instanceof Tmm && slot.register();
      case SIGNED -> operand instanceof Imm i && signedFits(slot.bits(), i.value(), wide);
      case UNSIGNED -> operand instanceof Imm i && unsignedFits(slot.bits(), i.value());
      case LABEL -> operand instanceof Label;
      case COUNT_CL -> operand.equals(Gpr.RCX.b());
      case COUNT_ONE -> operand.equals(new Imm(1));
    };
  }

  private boolean memoryFits(Slot slot, Mem memory, int length, boolean wide) {
    boolean isStrided = memory.address() instanceof Mem.Indexed;
    if (!slot.memory() || slot.kind() == Slot.Kind.STRIDED && !isStrided) {
      return false;
    }
    if (memory.broadcast() && (slot.broadcastBits() == 0 || scheme != Scheme.EVEX)) {
      return false;
    }
    if (slot.kind() == Slot.Kind.GENERAL && sizeUnknown(slot, memory)) {
      return false;
    }
    int size = slot.sizeInMemory(length, wide, memory.broadcast());
    return memory.bits() == 0 || size == 0 || memory.bits() == size;
  }

  private static boolean signedFits(int bits, long value, boolean wide) {
    return switch (bits) {
      case 8 -> value == (byte) value;
      case 32 -> value == (int) value || !wide && value >>> 32 == 0;
      default -> true;
    };
  }

  private static boolean unsignedFits(int bits, long value) {
    return value >= -(1L << (bits - 1)) && value < 1L << bits;
  }

  /** True for a branch to a label, whose distance is known only when all code is laid out. */
  boolean takesLabel() {
    return slots.stream().anyMatch(s -> s.kind() == Slot.Kind.LABEL);
  }

  static Operand plain(Operand operand) {
    return operand instanceof Masked m ? m.target() : operand;
  }
}
