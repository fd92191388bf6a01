package weft.image.webp;

import java.io.IOException;
import java.util.Arrays;

/**
 * Reads the coefficients of macroblocks (RFC 6386, section 13): those of sixteen blocks of luma, of
 * eight of colours, and in some what is kept for all of luma's first ones. Knows which neighbours
 * had any. One thread's.
 */
final class Differences {
  /** Kinds of blocks by what chances they have. */
  private static final int WITHOUT_FIRST = 0;

  private static final int JOINED = 1;
  private static final int CHROMA = 2;
  private static final int WHOLE = 3;

  private static final int[] BANDS = {0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 0};
  private static final int[] ZIGZAG = {0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15};

  /** Chances of the bits of large coefficients. */
  private static final int[][] LARGE = {
    {173, 148, 140},
    {176, 155, 140, 135},
    {180, 157, 141, 134, 130},
    {254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129}
  };

  /** Of a macroblock: luma, both colours and what is joined. */
  private static final int NEIGHBOURS = 9;

  private static final int JOINED_AT = 8;

  /** Of all blocks, sixteen each. */
  final int[] coefficients = new int[24 * 16];

  private final int[] joined = new int[16];
  private final int[] chances;
  private final int[] above;
  private final int[] left = new int[NEIGHBOURS];

  Differences(Head head, int columns) {
    this.chances = head.chances;
    this.above = new int[columns * NEIGHBOURS];
  }

  void beginRow() {
    Arrays.fill(left, 0);
  }

  /** A macroblock without any. */
  void none(int column, boolean isWhole) {
    int own = column * NEIGHBOURS;
    int kept = isWhole ? NEIGHBOURS : JOINED_AT;
    Arrays.fill(above, own, own + kept, 0);
    Arrays.fill(left, 0, kept, 0);
  }

  /** Whether a macroblock has any. */
  boolean read(Bits bits, int column, boolean isWhole, Head.Steps steps) throws IOException {
    Arrays.fill(coefficients, 0);
    int own = column * NEIGHBOURS;
    if (isWhole) readJoined(bits, own, steps);
    int first = isWhole ? 1 : 0;
    boolean isAny =
        blocks(bits, isWhole ? WITHOUT_FIRST : WHOLE, first, own, 0, 4, 0, steps.luma());
    isAny |= blocks(bits, CHROMA, 0, own, 4, 2, 16, steps.chroma());
    isAny |= blocks(bits, CHROMA, 0, own, 6, 2, 20, steps.chroma());
    return isAny;
  }

  private void readJoined(Bits bits, int own, Head.Steps steps) throws IOException {
    Arrays.fill(joined, 0);
    int context = above[own + JOINED_AT] + left[JOINED_AT];
    int end = block(bits, JOINED, context, 0, joined, 0, steps.joined());
    above[own + JOINED_AT] = left[JOINED_AT] = end > 0 ? 1 : 0;
    if (end > 1) {
      Transform.first(joined, coefficients);
    } else {
      for (int i = 0; i < 16; i++) coefficients[16 * i] = joined[0] + 3 >> 3;
    }
  }

  /** A square of blocks of one channel, whose neighbours are from {@code at} on. */
  private boolean blocks(
      Bits bits, int kind, int first, int own, int at, int side, int block, int[] steps)
      throws IOException {
    boolean isAny = false;
    for (int y = 0; y < side; y++) {
      for (int x = 0; x < side; x++) {
        int from = 16 * (block + y * side + x);
        int context = above[own + at + x] + left[at + y];
        int end = block(bits, kind, context, first, coefficients, from, steps);
        above[own + at + x] = left[at + y] = end > first ? 1 : 0;
        isAny |= end > first || coefficients[from] != 0;
      }
    }
    return isAny;
  }

  /** One place behind the last coefficient of a block that is not zero. */
  private int block(Bits bits, int kind, int context, int first, int[] out, int from, int[] steps)
      throws IOException {
    int at = chance(kind, first, context);
    for (int n = first; n < 16; ) {
      if (!bits.is(chances[at])) return n;
      while (!bits.is(chances[at + 1])) {
        if (++n == 16) return 16;
        at = chance(kind, n, 0);
      }
      boolean isOne = !bits.is(chances[at + 2]);
      int size = isOne ? 1 : large(bits, at);
      out[from + ZIGZAG[n]] = (bits.flag() ? -size : size) * steps[n > 0 ? 1 : 0];
      n++;
      at = chance(kind, n, isOne ? 1 : 2);
    }
    return 16;
  }

  private static int chance(int kind, int place, int context) {
    int band = kind * Tables.BANDS + BANDS[place];
    return (band * Tables.CONTEXTS + context) * Tables.DECISIONS;
  }

  private int large(Bits bits, int at) throws IOException {
    if (!bits.is(chances[at + 3])) {
      return bits.is(chances[at + 4]) ? 3 + bits.bit(chances[at + 5]) : 2;
    }
    if (!bits.is(chances[at + 6])) {
      if (!bits.is(chances[at + 7])) return 5 + bits.bit(159);
      return 7 + 2 * bits.bit(165) + bits.bit(145);
    }
    int high = bits.bit(chances[at + 8]);
    int category = 2 * high + bits.bit(chances[at + 9 + high]);
    int more = 0;
    for (int chance : LARGE[category]) more = 2 * more + bits.bit(chance);
    return more + 3 + (8 << category);
  }
}
