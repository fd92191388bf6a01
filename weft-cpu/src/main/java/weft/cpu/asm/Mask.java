package weft.cpu.asm;

/** An AVX-512 mask register; k0 can be computed with, but not used to mask. */
public record Mask(int number) implements Operand {
  public Mask {
    if (number < 0 || number > 7) {
      throw new AsmException("a mask register is numbered 0 to 7, got " + number);
    }
  }

  public static Mask k(int number) {
    return new Mask(number);
  }

  /** This register as the result of a comparison made only where {@code mask} is set. */
  public Masked merging(Mask mask) {
    return new Masked(this, mask, false);
  }

  @Override
  public String toString() {
    return "k" + number;
  }
}
