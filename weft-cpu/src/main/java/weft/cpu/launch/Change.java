package weft.cpu.launch;

/** What may differ from one step to the next, the weightiest first: each brings those behind it. */
public enum Change {
  /** How many rows there are or are wanted, who shares the work, or where shared memory lies. */
  ROWS,
  /** Whose rows they are, and with it where their states lie. */
  SEQUENCES,
  /** What the rows hold and where in their sequences they stand. */
  TOKENS
}
