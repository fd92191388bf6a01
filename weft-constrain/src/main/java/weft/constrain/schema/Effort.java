package weft.constrain.schema;

import weft.constrain.ConstrainException;

/**
 * What has been done for one schema, so that a hostile one is refused soon. Counted in steps of
 * about a microsecond, so that a refusal does not depend on how busy the machine is. Of one thread.
 */
final class Effort {
  private static final int MOST_STEPS = 400_000;
  private static final int MOST_ALTERNATIVES = 1024;
  private static final int DEEPEST_NESTING = 256;

  private final long most;
  private long steps;
  private int depth;

  Effort() {
    this(MOST_STEPS);
  }

  private Effort(long most) {
    this.most = most;
  }

  /** For one who only compares, and waits as long as it takes. */
  static Effort unlimited() {
    return new Effort(Long.MAX_VALUE);
  }

  /** A small piece of work was done. */
  void step() {
    step(1);
  }

  /** Several small pieces of work were done. */
  void step(int count) {
    steps += count;
    if (steps > most) {
      throw new ConstrainException(
          "the schema takes more than "
              + most
              + " steps to be kept exactly; use fewer anyOf, oneOf, not and patternProperties"
              + " together");
    }
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
    if (depth == DEEPEST_NESTING) {
      throw new ConstrainException(
          "the schema nests more than " + DEEPEST_NESTING + " levels deep; make it flatter");
    }
    depth++;
  }

  void leave() {
    depth--;
  }
}
