package weft.load;

/** The two kinds of step, which may be compiled apart. */
public enum Phase {
  /** Most rows only fill the state. */
  PREFILL,
  /** Every row's logits are wanted. */
  DECODE
}
