package weft.constrain;

/** The memory that what is remembered of a grammar takes, counted roughly and bounded. */
final class Room {
  /** In words, about 128 MiB: what one token may ask for, besides what was remembered before. */
  static final int MOST_WORDS = 16 << 20;

  private long taken;

  void take(int words) {
    taken += words;
    if (taken > MOST_WORDS) {
      throw new ConstrainException(
          "the grammar takes more than "
              + MOST_WORDS
              + " words of memory; it repeats or combines too much, so make it simpler");
    }
  }

  long taken() {
    return taken;
  }
}
