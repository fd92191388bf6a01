package weft.cuda.ptx;

/** What the factors are that tensor cores multiply. */
public enum TensorElement {
  F16("f16"),
  BF16("bf16");

  private final String word;

  TensorElement(String word) {
    this.word = word;
  }

  String word() {
    return word;
  }
}
