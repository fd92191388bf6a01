package weft.cpu.asm;

/**
 * A memory operand. {@code bits} is zero where the instruction's other operands say how much is
 * read; {@code broadcast} repeats one element of the instruction's own size.
 */
public record Mem(Address address, int bits, boolean broadcast) implements Operand {
  /** How the address is formed. */
  public sealed interface Address {}

  /** {@code [base + disp]}. */
  public record Based(Gpr base, int disp) implements Address {
    public Based {
      requirePointer(base);
    }

    @Override
    public String toString() {
      return "[" + base + signed(disp) + "]";
    }
  }

  /** {@code [base + index * scale + disp]}. */
  public record Indexed(Gpr base, Gpr index, int scale, int disp) implements Address {
    public Indexed {
      requirePointer(base);
      requirePointer(index);
      if (index.equals(Gpr.RSP)) {
        throw new AsmException("rsp cannot be an index; swap it with the base " + base);
      }
      if (scale != 1 && scale != 2 && scale != 4 && scale != 8) {
        throw new AsmException("an index is scaled by 1, 2, 4 or 8, got " + scale);
      }
    }

    @Override
    public String toString() {
      return "[" + base + "+" + index + "*" + scale + signed(disp) + "]";
    }
  }

  /** {@code [rip + distance to label]}: a constant that lies beside the code. */
  public record Relative(Label label) implements Address {
    @Override
    public String toString() {
      return "[rip+" + label + "]";
    }
  }

  public static Mem at(Gpr base) {
    return at(base, 0);
  }

  public static Mem at(Gpr base, long disp) {
    return new Mem(new Based(base, fits(disp)), 0, false);
  }

  public static Mem at(Gpr base, Gpr index, int scale) {
    return at(base, index, scale, 0);
  }

  public static Mem at(Gpr base, Gpr index, int scale, long disp) {
    return new Mem(new Indexed(base, index, scale, fits(disp)), 0, false);
  }

  public static Mem at(Label label) {
    return new Mem(new Relative(label), 0, false);
  }

  /** This operand with its size said, for an instruction that no register operand sizes. */
  public Mem sized(int bits) {
    return new Mem(address, bits, broadcast);
  }

  /** One element here, repeated over the vector. */
  public Mem each() {
    return new Mem(address, bits, true);
  }

  /** This operand as a destination written only where {@code mask} is set. */
  public Masked merging(Mask mask) {
    return new Masked(this, mask, false);
  }

  @Override
  public String toString() {
    return address.toString();
  }

  private static void requirePointer(Gpr register) {
    if (register.bits() != 64) {
      throw new AsmException(
          "an address is formed from 64-bit registers, got " + register + " of " + register.bits());
    }
  }

  private static int fits(long disp) {
    if (disp != (int) disp) {
      throw new AsmException("a displacement is 32 bits, got " + disp + "; add it to the base");
    }
    return (int) disp;
  }

  private static String signed(int disp) {
    return disp == 0
        ? ""
        : disp < 0 ? "-0x" + Long.toHexString(-(long) disp) : "+0x" + Integer.toHexString(disp);
  }
}
