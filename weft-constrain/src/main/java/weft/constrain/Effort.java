package weft.constrain;

/**
 * How much work may still be done before it is refused: a schema, a pattern or a grammar can ask
 * for any amount. Counted in steps of some tens of nanoseconds, so that a refusal does not depend
 * on how busy the machine is. What is saved stays for later, up to a bound.
 */
final class Effort {
  /** About a third of a second: to read a grammar, or for a token that asks for much. */
  static final int MOST_STEPS = 6_000_000;

  /** What each token brings: about a hundred times what it takes on average. */
  private static final int STEPS_A_TOKEN = 60_000;

  private long left = MOST_STEPS;

  /** The beginning of a token. */
  void begin() {
    left = Math.min(MOST_STEPS, left + STEPS_A_TOKEN);
  }

  void spend(int steps) {
    left -= steps;
    if (left < 0) {
      left = 0;
      throw new ConstrainException(
          "the grammar takes more than "
              + MOST_STEPS
              + " steps; it repeats or combines too much, so make it simpler");
    }
  }
}
