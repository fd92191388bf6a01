package weft.cpu.kernel.attention;

import static weft.cpu.asm.Mem.at;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Isa;
import weft.cpu.asm.Mem;

/**
 * The scratch of a worker that attends for a block of rows. Its queries come in tiles of six; a
 * panel holds 64 positions of one head as floats.
 */
public final class ManyLayout {
  /** The queries whose sums a tile keeps in registers. */
  static final int TILE = 6;

  /** The positions of a panel: at most a page's. */
  static final int POSITIONS = KvPart.POSITIONS;

  /** As many as keep the queries and sums of a block in the second-level cache. */
  static final int MOST_QUERIES = 22 * TILE;

  /** Where the scratch begins, in all of the kernel's pieces. */
  static final Gpr BASE = Gpr.R15;

  // What the pieces tell each other.
  static final int UNIT = 0;
  static final int END = 8;

  /** The block's first row. */
  static final int ROW = 16;

  /** Its first query head and how many a row has. */
  static final int HEAD = 32;

  static final int HEADS = 40;

  /** Its queries, without those that only fill the last tile. */
  static final int QUERIES = 48;

  static final int TILES = 56;

  /** Where in a page the head's keys and values are. */
  static final int KEYS = 64;

  static final int VALUES = 72;

  /** The panel's first position, how many it has, and where the positions end. */
  static final int POSITION = 80;

  static final int COUNT = 88;
  static final int POSITIONS_END = 96;

  /** Of the panel, how many positions some query of the tile sees. */
  static final int SEEN = 104;

  static final int TILES_LEFT = 112;

  /** Where the parts are whose places depend on the sizes of heads. */
  static final int VALUE_PANEL = 120;

  static final int TILE_QUERIES = 128;
  static final int TILE_SUMS = 136;

  /** A tile's new greatest scores, and what its sums so far are to be multiplied by. */
  static final int GREATEST = 192;

  static final int FACTORS = 256;

  /** A tile's scores, then weights: a row of {@link #POSITIONS} floats a query. */
  static final int WEIGHTS = 320;

  static final int WEIGHT_BYTES = 4 * POSITIONS;

  /** The places of the panel's keys. */
  static final int PLACES = WEIGHTS + TILE * WEIGHT_BYTES;

  /** {@link #STATE_BYTES} a tile. */
  static final int STATES = PLACES + 8 * POSITIONS;

  /** In a tile's state, a lane a query: the greatest score so far and the sum of the weights, */
  static final int STATE_GREATEST = 0;

  static final int STATE_TOTAL = 64;

  /** and the first and the last position that it sees. */
  static final int STATE_FIRST = 128;

  static final int STATE_LAST = 192;
  static final int STATE_BYTES = 256;

  /** The keys of a panel, transposed: a row of {@link #POSITIONS} floats for each of their axes. */
  static final int KEY_PANEL = STATES + MOST_QUERIES / TILE * STATE_BYTES;

  private ManyLayout() {}

  /** The vectors of each query whose sums a tile keeps. */
  static int vectors(Isa isa) {
    return isa.vectorBits() == 512 ? 4 : 2;
  }

  static Mem kept(int offset) {
    return at(BASE, offset).sized(64);
  }

  /** All of the scratch: behind the panels come the queries and their sums. */
  static long bytes(int keyDim, int valueDim) {
    return KEY_PANEL + 4L * (POSITIONS + MOST_QUERIES) * (keyDim + valueDim);
  }
}
