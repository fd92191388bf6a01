package weft.cuda.interpret;

/**
 * One instruction in the form that runs.
 *
 * @param guard the place of its predicate, or −1
 * @param target of a branch
 */
record Instruction(
    Kind kind, Statement source, int guard, boolean isNegated, Step step, int target) {
  enum Kind {
    /** Each lane for itself. */
    PLAIN,
    /** Lanes that must be here together. */
    TOGETHER,
    BRANCH,
    EXIT,
    BARRIER
  }

  /** What an instruction does for the lanes of a mask. */
  @FunctionalInterface
  interface Step {
    void run(Warp warp, int lanes);
  }

  static final Step NOTHING = (_, _) -> {};
}
