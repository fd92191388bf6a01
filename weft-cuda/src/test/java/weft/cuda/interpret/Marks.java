package weft.cuda.interpret;

/** Who touched a word of global memory: launch, block, thread and stamp in 64 bits. */
final class Marks {
  private static final int STAMP_BITS = 18;
  private static final int THREAD_BITS = 10;
  private static final int BLOCK_BITS = 20;

  /** A block that is none: what several blocks did. */
  private static final int SEVERAL = (1 << BLOCK_BITS) - 1;

  private Marks() {}

  static long of(int launch, int block, int thread, int stamp) {
    return ((long) (launch & 0xFFFF) << BLOCK_BITS + THREAD_BITS + STAMP_BITS)
        | ((long) block << THREAD_BITS + STAMP_BITS)
        | ((long) thread << STAMP_BITS)
        | (stamp & (1 << STAMP_BITS) - 1);
  }

  static int launch(long mark) {
    return (int) (mark >>> BLOCK_BITS + THREAD_BITS + STAMP_BITS);
  }

  static int block(long mark) {
    return (int) (mark >>> THREAD_BITS + STAMP_BITS) & SEVERAL;
  }

  static int thread(long mark) {
    return (int) (mark >>> STAMP_BITS) & (1 << THREAD_BITS) - 1;
  }

  static int stamp(long mark) {
    return (int) mark & (1 << STAMP_BITS) - 1;
  }

  /** What stands for both readers. */
  static long joined(long before, long now) {
    boolean isOther = launch(before) == launch(now) && block(before) != block(now);
    return isOther ? of(launch(now), SEVERAL, 0, 0) : now;
  }

  static String who(long mark) {
    return block(mark) == SEVERAL
        ? "several blocks"
        : "block %d, thread %d".formatted(block(mark), thread(mark));
  }
}
