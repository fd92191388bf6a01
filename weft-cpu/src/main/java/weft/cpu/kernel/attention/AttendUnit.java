package weft.cpu.kernel.attention;

import weft.cpu.kernel.emit.Layout;

/**
 * The block of one unit of attention, which {@link AttendRows} makes in a worker's scratch: a row
 * and some query heads that share one head of keys and values. The scores lie behind the block.
 */
final class AttendUnit {
  private static final Layout<AttendUnit> LAYOUT = new Layout<>();

  static final int Q = LAYOUT.room(Long.BYTES);
  static final int KEY_DIM = LAYOUT.room(Long.BYTES);

  /** How many positions, where the address of the first one's page is, and its place there. */
  static final int COUNT = LAYOUT.room(Long.BYTES);

  static final int PAGES = LAYOUT.room(Long.BYTES);
  static final int PLACE = LAYOUT.room(Long.BYTES);

  /** Where in a page the head's keys and values are. */
  static final int KEYS = LAYOUT.room(Long.BYTES);

  static final int VALUES = LAYOUT.room(Long.BYTES);
  static final int HEADS = LAYOUT.room(Long.BYTES);
  static final int KEY_BYTES = LAYOUT.room(Long.BYTES);
  static final int VALUE_BYTES = LAYOUT.room(Long.BYTES);
  static final int OUT = LAYOUT.room(Long.BYTES);
  static final int VALUE_DIM = LAYOUT.room(Long.BYTES);
  static final int SCORES = LAYOUT.room(Long.BYTES);
  static final int SCORE_BYTES = LAYOUT.room(Long.BYTES);

  /** The soft cap and its inverse, floats. */
  static final int CAPS = LAYOUT.room(Long.BYTES);

  /** While pages are gone through: the address of the page's address, positions behind it. */
  static final int PAGE = LAYOUT.room(Long.BYTES);

  static final int LEFT = LAYOUT.room(Long.BYTES);

  /** How far the next page's keys are, and the end of the first query in hand. */
  static final int NEXT = LAYOUT.room(Long.BYTES);

  static final int QUERY_END = LAYOUT.room(Long.BYTES);

  /** What the weights of each head in hand are to be multiplied with, floats. */
  static final int INVERSES = LAYOUT.room(AttendRows.MOST_HEADS * Float.BYTES);

  /** The scores begin at a line of the cache. */
  static final int BYTES = LAYOUT.room(0, 64);

  private AttendUnit() {}

  /** The bytes of scores that a head needs for this many positions, with a vector behind them. */
  static long scoreBytes(long positions) {
    return (positions * Float.BYTES + 2 * 64 - 1) / 64 * 64 + 64;
  }
}
