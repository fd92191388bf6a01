package weft.cpu.kernel.product;

/**
 * Where the unpacked weights of some rows lie in a worker's scratch memory, sized to stay in the
 * second-level cache while all tokens meet them.
 *
 * <pre>
 *   pointers  32                       where the next packed values of each row are
 *   masks     32 ints                  minus one for a row that there is, else zero
 *   bytes     [k/4][32 rows][4]        unsigned bytes: 64 of them are four values of 16 rows
 *   scales    [k/run][32 rows] floats  of 256-value blocks whole numbers, and behind each block's
 *     unit    [32 rows] floats         what one of them stands for
 *   minimums  where the format has them: [k/run][32 rows] floats, or, as words, of each 256 values
 *     words   [4][32 rows][2]          those of two runs
 *     unit    [32 rows] floats         what one of their units stands for
 * </pre>
 *
 * Of the formats that are floats, {@code [k][32 rows]} floats lie where the bytes do, or, where
 * they meet as words, {@code [k/2][32 rows][2]} words.
 */
public final class Panel {
  static final int ROWS = 32;

  /** The values of a row that are unpacked at once. */
  public static final int DEPTH = 4096;

  /** The same of a panel of floats, which take four times the room. */
  public static final int FLOAT_DEPTH = DEPTH / 4;

  /** The same of a panel of words. */
  public static final int WORD_DEPTH = DEPTH / 2;

  static final int POINTERS = 0;
  static final int MASKS = POINTERS + 8 * ROWS;
  static final int BYTES = MASKS + 4 * ROWS;

  /** The values of a whole panel, whatever they are. */
  static final int UNPACKED = ROWS * DEPTH;

  static final int SCALES = BYTES + UNPACKED;
  static final int MINIMUMS = SCALES + 4 * ROWS * (DEPTH / 16 + DEPTH / 256);

  /** Pairs of minimums of 256 values, and what they and their unit take. */
  static final int PAIRS = 4;

  static final int MINIMUMS_STEP = 4 * ROWS * (PAIRS + 1);
  public static final int SIZE = MINIMUMS + 4 * ROWS * DEPTH / 16;

  private Panel() {}
}
