package weft.conformance;

/** How a backend multiplies packed weights. */
public enum Precision {
  /** Activations stay floats. */
  FLOATS,
  /** Activations may be rounded to blocks of bytes first, or with weights of 16 bits to words. */
  BYTES,
  /** The same, and packed weights may be rounded to halves where many rows meet them. */
  HALVES
}
