package weft.constrain.schema;

import weft.constrain.ConstrainException;

/** What has been done for one schema, so that a hostile one is refused soon. Of one thread. */
final class Effort {
  private static final int MOST_STEPS = 2_000_000;
  private static final int MOST_ALTERNATIVES = 4096;
  private static final int DEEPEST_NESTING = 256;

  private static final long LONGEST_NANOS = 900_000_000;
  private static final int STEPS_A_LOOK = 1024;

  private final long start = System.nanoTime();
  private final long limit;
  private int steps;
  private int depth;

  Effort() {
    this(LONGEST_NANOS);
  }

  private Effort(long limit) {
    this.limit = limit;
  }

  /** For one who only compares, and waits as long as it takes. */
  static Effort unlimited() {
    return new Effort(Long.MAX_VALUE);
  }

  /** A small piece of work was done. */
  void step() {
    if (++steps > MOST_STEPS && limit == LONGEST_NANOS) throw tooMuch();
    if (steps % STEPS_A_LOOK == 0 && System.nanoTime() - start > limit) throw tooMuch();
  }

  /** A union of so many shapes has come up. */
  void alternatives(int count) {
    if (count > MOST_ALTERNATIVES) {
      throw new ConstrainException(
          "the schema's anyOf, oneOf, not, if and dependencies come to more than "
              + MOST_ALTERNATIVES
              + " combinations in one place; use fewer of them together");
    }
  }

  /** One level further down; to be followed by {@link #leave()}. */
  void enter() {
    step();
    if (++depth > DEEPEST_NESTING) {
      throw new ConstrainException(
          "the schema nests more than " + DEEPEST_NESTING + " levels deep; make it flatter");
    }
  }

  void leave() {
    depth--;
  }

  private static ConstrainException tooMuch() {
    return new ConstrainException(
        "the schema takes too much work to be kept exactly; use fewer anyOf, oneOf, not and"
            + " patternProperties together");
  }
}
