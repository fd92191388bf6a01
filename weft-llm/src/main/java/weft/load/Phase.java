package weft.load;

/** The two kinds of step, which may be compiled apart and are told apart by their size alone. */
public enum Phase {
  /** Many rows, most of which only fill the state. */
  PREFILL,
  /** Few rows: tokens of replies, drafts, and what is short of prompts, alone or beside them. */
  DECODE
}
