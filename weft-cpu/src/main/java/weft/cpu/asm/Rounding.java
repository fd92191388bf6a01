package weft.cpu.asm;

/** A rounding mode written into one AVX-512 instruction; all of them suppress exceptions. */
public enum Rounding implements Operand {
  NEAREST("rn-sae", 0),
  DOWN("rd-sae", 1),
  UP("ru-sae", 2),
  TRUNCATE("rz-sae", 3);

  private final String text;
  private final int code;

  Rounding(String text, int code) {
    this.text = text;
    this.code = code;
  }

  int code() {
    return code;
  }

  @Override
  public String toString() {
    return "{" + text + "}";
  }
}
