package weft.cpu.kernel.attention;

import static weft.cpu.asm.Mem.at;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Isa;
import weft.cpu.asm.Mem;
import weft.cpu.kernel.emit.Layout;

/**
 * The scratch of a worker that attends for a block of rows. Its queries come in tiles of six; a
 * panel holds 64 positions of one head, as floats or as words under scales, which take half of the
 * room: a scale for each query, for each key, and for each column of a panel's values.
 */
public final class ManyLayout {
  /** The queries whose sums a tile keeps in registers. */
  static final int TILE = 6;

  /** The positions of a panel: at most a page's. */
  static final int POSITIONS = KvPart.POSITIONS;

  /** As many as keep the queries and sums of a block in the second-level cache, of any heads. */
  static final int MOST_QUERIES = 22 * TILE;

  /** Of rows that see each other, as words: heads of 64 have room for 1,024 of them and more. */
  private static final int MOST_TOGETHER = 8 * MOST_QUERIES;

  private static final int MOST_FLOATS = MOST_TOGETHER * 2 * 64;

  /** Where the scratch begins, in all of the kernel's pieces. */
  static final Gpr BASE = Gpr.R15;

  private static final int LINE = 64;
  private static final Layout<ManyLayout> LAYOUT = new Layout<>();

  // What the pieces tell each other.
  static final int UNIT = LAYOUT.room(Long.BYTES);
  static final int END = LAYOUT.room(Long.BYTES);

  /** The block's first row. */
  static final int ROW = LAYOUT.room(Long.BYTES);

  /** Its first query head and how many a row has. */
  static final int HEAD = LAYOUT.room(Long.BYTES);

  static final int HEADS = LAYOUT.room(Long.BYTES);

  /** Its queries, without those that only fill the last tile. */
  static final int QUERIES = LAYOUT.room(Long.BYTES);

  static final int TILES = LAYOUT.room(Long.BYTES);

  /** Where in a page the head's keys and values are. */
  static final int KEYS = LAYOUT.room(Long.BYTES);

  static final int VALUES = LAYOUT.room(Long.BYTES);

  /** The panel's first position, how many it has, and where the positions end. */
  static final int POSITION = LAYOUT.room(Long.BYTES);

  static final int COUNT = LAYOUT.room(Long.BYTES);
  static final int POSITIONS_END = LAYOUT.room(Long.BYTES);

  /** Behind the last page that was full before the block. */
  static final int FULL_END = LAYOUT.room(Long.BYTES);

  /** Behind the position of the last row: where positions end unless rows see beyond theirs. */
  static final int ROWS_END = LAYOUT.room(Long.BYTES);

  /** Of the panel, how many positions some query of the tile sees. */
  static final int SEEN = LAYOUT.room(Long.BYTES);

  static final int TILES_LEFT = LAYOUT.room(Long.BYTES);

  /** Where the parts are whose places depend on the sizes of heads. */
  static final int VALUE_PANEL = LAYOUT.room(Long.BYTES);

  static final int TILE_QUERIES = LAYOUT.room(Long.BYTES);
  static final int TILE_SUMS = LAYOUT.room(Long.BYTES);

  /** A tile's scores, then weights: a row of {@link #POSITIONS} floats a query. */
  static final int WEIGHT_BYTES = 4 * POSITIONS;

  // An area of a tile: what is told of it from its scores to its sums.
  private static final int AREA = LAYOUT.room(0, LINE);

  /** A tile's new greatest scores, and what its sums so far are to be multiplied by. */
  static final int GREATEST = LAYOUT.room(LINE, LINE);

  static final int FACTORS = LAYOUT.room(LINE, LINE);

  /** As words: what the panel's own sums are to be multiplied by. */
  static final int SHARES = LAYOUT.room(LINE, LINE);

  static final int WEIGHTS = LAYOUT.room(TILE * WEIGHT_BYTES, LINE);

  /** As words: a vector a query, whose lanes add up to its weights. */
  static final int TOTALS = LAYOUT.room(TILE * LINE, LINE);

  /** From this area to another one, of {@link OverlappedTiles}. */
  static final int AREA_BYTES = LAYOUT.room(0, LINE) - AREA;

  private static final int OTHER_AREA = LAYOUT.room(AREA_BYTES, LINE);

  /** Which of the two is at hand, and which is not. */
  static final int AREA_NOW = LAYOUT.room(Long.BYTES);

  static final int AREA_NEXT = LAYOUT.room(Long.BYTES);

  /** The places of the panel's keys. */
  static final int PLACES = LAYOUT.room(8 * POSITIONS, LINE);

  /** As words: what a level of each key stands for, and of some keys, how many a number has. */
  static final int KEY_UNITS = LAYOUT.room(4 * POSITIONS, LINE);

  static final int KEY_LEVELS = LAYOUT.room(LINE, LINE);

  private static final Layout<ManyLayout> STATE = new Layout<>();

  /** In a tile's state, a lane a query: the greatest score so far and the sum of the weights, */
  static final int STATE_GREATEST = STATE.room(LINE);

  static final int STATE_TOTAL = STATE.room(LINE);

  /** and the first and the last position that it sees. */
  static final int STATE_FIRST = STATE.room(LINE);

  static final int STATE_LAST = STATE.room(LINE);

  /** As words: what a level of the query stands for. */
  static final int STATE_UNIT = STATE.room(LINE);

  static final int STATE_BYTES = STATE.bytes();

  /** {@link #STATE_BYTES} a tile. */
  static final int STATES = LAYOUT.room(MOST_TOGETHER / TILE * STATE_BYTES, LINE);

  /**
   * The keys of a panel, transposed: a row of {@link #POSITIONS} floats for each of their axes, or
   * of as many pairs of words for each two.
   */
  static final int KEY_PANEL = LAYOUT.room(0, LINE);

  private ManyLayout() {}

  /** The vectors of each query whose sums a tile keeps. */
  static int vectors(Isa isa) {
    return isa.vectorBits() == 512 ? 4 : 2;
  }

  /** Behind a panel of values as words, which are two bytes each: what a level of each is. */
  static final int VALUE_UNITS_AT = Short.BYTES * POSITIONS;

  static Mem kept(int offset) {
    return at(BASE, offset).sized(64);
  }

  /** The most queries of such heads that a block of rows which see each other may have. */
  static int mostTogether(int keyDim, int valueDim) {
    return Math.clamp(MOST_FLOATS / (keyDim + valueDim), 1, MOST_TOGETHER);
  }

  /** So many queries in whole tiles. */
  static int inTiles(int queries) {
    return Math.ceilDiv(queries, TILE) * TILE;
  }

  /** All of the scratch: behind the panels come the queries and their sums. */
  static long bytes(int keyDim, int valueDim, int queries) {
    return KEY_PANEL + 4L * (POSITIONS + inTiles(queries)) * (keyDim + valueDim);
  }
}
