package weft.cpu.asm;

/** An AMX tile register: up to 16 rows of 64 bytes, as the configuration of its thread says. */
public record Tmm(int number) implements Operand {
  public Tmm {
    if (number < 0 || number > 7) {
      throw new AsmException("a tile register is numbered 0 to 7, got " + number);
    }
  }

  @Override
  public String toString() {
    return "tmm" + number;
  }
}
