package weft.constrain;

/**
 * How much work may still be done before it is refused: a schema, a pattern or a grammar can ask
 * for any amount. Counted in steps of some tens of nanoseconds, so that a refusal does not depend
 * on how busy the machine is.
 */
final class Effort {
  /** About half a second: what is asked for a mask, or to read a grammar. */
  static final int MOST_STEPS = 8_000_000;

  private long left = MOST_STEPS;

  void begin() {
    left = MOST_STEPS;
  }

  void spend(int steps) {
    left -= steps;
    if (left < 0) {
      throw new ConstrainException(
          "the grammar takes more than "
              + MOST_STEPS
              + " steps for one token; it repeats or combines too much, so make it simpler");
    }
  }
}
