package weft.conformance;

/** How a backend multiplies packed weights. */
public enum Precision {
  /** Activations stay floats. */
  FLOATS,
  /** Activations may be rounded to blocks of bytes first. */
  BYTES
}
