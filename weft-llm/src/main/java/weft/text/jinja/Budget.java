package weft.text.jinja;

/** Counts what a rendering uses against its {@link Limits} and stops it when one is passed. */
final class Budget {
  /** One step pays for about this many characters that are scanned or copied. */
  private static final int CHARACTERS_A_STEP = 64;

  /**
   * The clock is read once in this many steps: often enough, since a step takes well under ten
   * milliseconds.
   */
  private static final int STEPS_A_LOOK = 64;

  private static final int ITEMS_A_STEP = 4;
  private static final int BYTES_A_CHARACTER = 2;

  /** A reference and the small object behind it, a short string at worst. */
  private static final int BYTES_AN_ITEM = 64;

  private final Limits limits;
  private final long deadline;
  private long steps;
  private long nextLook = STEPS_A_LOOK;
  private long bytes;
  private int depth;

  Budget(Limits limits) {
    this.limits = limits;
    this.deadline = System.nanoTime() + limits.time().toNanos();
  }

  void step() {
    steps(1);
  }

  void steps(long count) {
    steps += count;
    if (steps >= nextLook) {
      look();
    }
  }

  private void look() {
    if (steps > limits.steps()) {
      throw Failure.limit(
          "the template ran for more than "
              + limits.steps()
              + " steps; it probably loops without end");
    }
    if (System.nanoTime() - deadline > 0) {
      throw Failure.limit("the template ran for more than " + limits.time().toMillis() + " ms");
    }
    nextLook = steps + STEPS_A_LOOK;
  }

  /** Pays for reading {@code characters}. */
  void scan(long characters) {
    steps(1 + characters / CHARACTERS_A_STEP);
  }

  /** Pays for a text of {@code characters} before it is built. */
  void text(long characters) {
    length(characters);
    memory(characters, BYTES_A_CHARACTER);
    scan(characters);
  }

  /** Stops a text that has grown to {@code characters}. */
  void length(long characters) {
    if (characters > limits.text()) {
      throw Failure.limit(
          "the template builds a text of more than " + limits.text() + " characters");
    }
  }

  /** Pays for a collection of {@code items} before it is built. */
  void items(long items) {
    memory(items, BYTES_AN_ITEM);
    steps(1 + items / ITEMS_A_STEP);
  }

  private void memory(long count, int size) {
    // Compared by division, since a template can ask for any count.
    if (count > (limits.memory() - bytes) / size) {
      throw Failure.limit(
          "the template builds more than " + (limits.memory() >> 20) + " MiB of text and lists");
    }
    bytes += count * size;
  }

  /** Enters {@code levels} of nested evaluation; every call is paired with {@link #leave}. */
  void enter(int levels) {
    depth += levels;
    if (depth > limits.depth()) {
      depth -= levels;
      throw Failure.limit(
          "the template nests calls or data more than " + limits.depth() + " levels deep");
    }
  }

  void leave(int levels) {
    depth -= levels;
  }
}
