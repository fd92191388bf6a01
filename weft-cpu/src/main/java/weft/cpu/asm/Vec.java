package weft.cpu.asm;

/** A vector register at one of its lengths: 128 bits (xmm), 256 (ymm) or 512 (zmm). */
public record Vec(int number, int bits) implements Operand {
  public Vec {
    if (number < 0 || number > 31) {
      throw new AsmException("a vector register is numbered 0 to 31, got " + number);
    }
    if (bits != 128 && bits != 256 && bits != 512) {
      throw new AsmException("a vector register has 128, 256 or 512 bits, got " + bits);
    }
  }

  public static Vec xmm(int number) {
    return new Vec(number, 128);
  }

  public static Vec ymm(int number) {
    return new Vec(number, 256);
  }

  public static Vec zmm(int number) {
    return new Vec(number, 512);
  }

  /** The low 128 bits of this register. */
  public Vec x() {
    return xmm(number);
  }

  /** The low 256 bits of this register. */
  public Vec y() {
    return ymm(number);
  }

  /** The whole of this register. */
  public Vec z() {
    return zmm(number);
  }

  public int bytes() {
    return bits / 8;
  }

  /** This register as a destination whose elements outside {@code mask} keep their value. */
  public Masked merging(Mask mask) {
    return new Masked(this, mask, false);
  }

  /** This register as a destination whose elements outside {@code mask} become zero. */
  public Masked zeroing(Mask mask) {
    return new Masked(this, mask, true);
  }

  @Override
  public String toString() {
    return (bits == 128 ? "xmm" : bits == 256 ? "ymm" : "zmm") + number;
  }
}
