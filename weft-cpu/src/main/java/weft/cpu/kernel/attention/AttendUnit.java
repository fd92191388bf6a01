package weft.cpu.kernel.attention;

/**
 * The block of one unit of attention, which {@link AttendRows} makes in a worker's scratch: a row
 * and some query heads that share one head of keys and values. The positions lie in one run, or in
 * two where a ring of them wraps; the scores lie behind the block.
 */
public final class AttendUnit {
  static final int BYTES = 128;

  static final int Q = 0;
  static final int KEY_DIM = 8;
  static final int FIRST = 16;
  static final int SECOND = 40;
  static final int KEY_BYTES = 64;
  static final int VALUE_BYTES = 72;
  static final int OUT = 80;
  static final int VALUE_DIM = 88;
  static final int SCORES = 96;
  static final int SCORE_BYTES = 104;

  /** The soft cap and its inverse, floats. */
  static final int CAPS = 112;

  static final int HEADS = 120;

  /** In a run of positions. */
  static final int KEYS = 0;

  static final int VALUES = 8;
  static final int COUNT = 16;

  private AttendUnit() {}

  /** The bytes of scores that a head needs for this many positions, with a vector behind them. */
  static long scoreBytes(long positions) {
    return (positions * Float.BYTES + 2 * 64 - 1) / 64 * 64 + 64;
  }
}
