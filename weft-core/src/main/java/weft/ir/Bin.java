package weft.ir;

/** Elementwise functions of two values; {@link #apply} is their definition. */
public enum Bin {
  ADD,
  SUB,
  MUL,
  DIV;

  public float apply(float a, float b) {
    return switch (this) {
      case ADD -> a + b;
      case SUB -> a - b;
      case MUL -> a * b;
      case DIV -> a / b;
    };
  }
}
