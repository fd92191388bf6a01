package weft.cpu.asm;

/** A number written into the instruction. */
public record Imm(long value) implements Operand {
  public static Imm imm(long value) {
    return new Imm(value);
  }

  @Override
  public String toString() {
    return value < 0 ? "-0x" + Long.toHexString(-value) : "0x" + Long.toHexString(value);
  }
}
