package weft.generate;

import java.util.Arrays;

/**
 * How often guesses come true, by how deep in a draft they stand; what was lately counts most.
 * Belongs to one thread.
 */
final class Acceptance {
  /** Of a turn: what a guess says of those after it, and of the twentieth little. */
  private static final double OF_A_TURN = 0.95;

  /** Of a drafter, whose turns have many texts. */
  private static final double OF_A_DRAFTER = 0.98;

  /** What is believed beforehand counts as much as so many guesses. */
  private static final double BELIEF = 4;

  /**
   * Of a drafter that nothing is known of: its drafts are tried, and soon given up if they fail.
   */
  private static final double UNKNOWN = 0.7;

  private final double remembering;
  private double[] tried = {};
  private double[] held = {};

  private Acceptance(double remembering) {
    this.remembering = remembering;
  }

  static Acceptance ofTurn() {
    return new Acceptance(OF_A_TURN);
  }

  static Acceptance ofDrafter() {
    return new Acceptance(OF_A_DRAFTER);
  }

  /** A draft of so many tokens, of which the first {@code held} came true. */
  void saw(int drafted, int held) {
    // Behind the first that failed nothing is known: those stood on a wrong one.
    int known = Math.min(drafted, held + 1);
    if (known > tried.length) {
      tried = Arrays.copyOf(tried, known);
      this.held = Arrays.copyOf(this.held, known);
    }
    for (int depth = 1; depth <= known; depth++) {
      tried[depth - 1] = remembering * tried[depth - 1] + 1;
      this.held[depth - 1] = remembering * this.held[depth - 1] + (depth <= held ? 1 : 0);
    }
  }

  /**
   * The chance that a guess holds if all before it do; a depth that was seldom reached is believed
   * to be like the one before it.
   *
   * @param depth 1 is a draft's first
   */
  double at(int depth) {
    return depth == 0 ? UNKNOWN : at(depth, at(depth - 1));
  }

  /** As {@link #at(int)}, for a turn of a drafter whose turns so far were like {@code others}. */
  double at(int depth, Acceptance others) {
    return at(depth, others.at(depth));
  }

  private double at(int depth, double believed) {
    if (depth > tried.length) return believed;
    return (held[depth - 1] + BELIEF * believed) / (tried[depth - 1] + BELIEF);
  }
}
