package weft.cpu.kernel.attention;

/**
 * The block of one unit of attention, which {@link AttendRows} makes in a worker's scratch: a row
 * and some query heads that share one head of keys and values. The scores lie behind the block.
 */
final class AttendUnit {
  static final int BYTES = 192;

  static final int Q = 0;
  static final int KEY_DIM = 8;

  /** How many positions, where the address of the first one's page is, and its place there. */
  static final int COUNT = 16;

  static final int PAGES = 24;
  static final int PLACE = 32;

  /** Where in a page the head's keys and values are. */
  static final int KEYS = 40;

  static final int VALUES = 48;
  static final int HEADS = 56;
  static final int KEY_BYTES = 64;
  static final int VALUE_BYTES = 72;
  static final int OUT = 80;
  static final int VALUE_DIM = 88;
  static final int SCORES = 96;
  static final int SCORE_BYTES = 104;

  /** The soft cap and its inverse, floats. */
  static final int CAPS = 112;

  /** While pages are gone through: the address of the page's address, positions behind it. */
  static final int PAGE = 120;

  static final int LEFT = 128;

  private AttendUnit() {}

  /** The bytes of scores that a head needs for this many positions, with a vector behind them. */
  static long scoreBytes(long positions) {
    return (positions * Float.BYTES + 2 * 64 - 1) / 64 * 64 + 64;
  }
}
