package weft.ir;

/** What a value's elements mean. How a weight's elements are stored is not the graph's business. */
public enum DType {
  F32(4),
  F16(2),
  BF16(2),
  I32(4);

  private final int bytes;

  DType(int bytes) {
    this.bytes = bytes;
  }

  /** What one element takes in a buffer. */
  public int bytes() {
    return bytes;
  }

  /** Whether these are numbers to compute with, which indices are not. */
  public boolean isNumber() {
    return this != I32;
  }
}
