package weft.text.tokenizer;

/** How many slots the open hash tables here take: a power of two, at most two thirds of it used. */
final class HashRoom {
  private static final int SMALLEST = 16;

  private HashRoom() {}

  static int slots(int expected) {
    int slots = SMALLEST;
    while (isFull(expected, slots)) {
      slots *= 2;
    }
    return slots;
  }

  static boolean isFull(int used, int slots) {
    return 3L * used > 2L * slots;
  }
}
