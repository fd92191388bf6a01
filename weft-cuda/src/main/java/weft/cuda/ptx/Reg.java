package weft.cuda.ptx;

/** A virtual register, by its type. */
public sealed interface Reg {
  String text();

  /** A register's type as its declaration has it, and how registers without a name begin. */
  enum Kind {
    PRED(".pred", "%p"),
    B16(".b16", "%h"),
    B32(".b32", "%r"),
    B64(".b64", "%d"),
    F32(".f32", "%f"),
    F64(".f64", "%g");

    private final String directive;
    private final String prefix;

    Kind(String directive, String prefix) {
      this.directive = directive;
      this.prefix = prefix;
    }

    String directive() {
      return directive;
    }

    String prefix() {
      return prefix;
    }
  }

  /** One bit: what a comparison gives and a branch asks. */
  record Pred(String text) implements Reg, Operand.Register {}

  /** A half or a bfloat16. */
  record B16(String text) implements Reg, Operand.Register {}

  /** A whole number, four bytes, or two halves. */
  record B32(String text) implements Reg, Operand.Word {}

  /** An address or a large whole number. */
  record B64(String text) implements Reg, Operand.Wide {}

  record F32(String text) implements Reg, Operand.Real {}

  record F64(String text) implements Reg, Operand.Register {}

  /** A register whose type the reader of the instruction knows. */
  record Any(String text) implements Operand.Register {}
}
