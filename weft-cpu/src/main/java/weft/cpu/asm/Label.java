package weft.cpu.asm;

/** A place in the code of one {@link Assembler}; two labels of one name are two places. */
public final class Label implements Operand {
  private final String name;

  Label(String name) {
    this.name = name;
  }

  public String name() {
    return name;
  }

  @Override
  public String toString() {
    return name;
  }
}
