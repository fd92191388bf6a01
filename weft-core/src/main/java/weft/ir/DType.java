package weft.ir;

/** What a value's elements mean. How a weight's elements are stored is not the graph's business. */
public enum DType {
  F32,
  I32
}
