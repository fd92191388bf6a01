package weft.cpu.kernel.product;

import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.LDTILECFG;

import weft.cpu.asm.Tmm;
import weft.cpu.kernel.emit.KernelWriter;

/**
 * What AMX's tile registers hold in a kernel: two pairs of factors, and four of what they come to.
 * Neighbouring runs take turns with them, so that one is multiplied while others are stored.
 *
 * @param rows of the first factor and the result
 * @param run values of a row of the first factor, which meet four at a time
 * @param columns of the second factor and the result, 32 bits each
 */
record AmxConfig(int rows, int run, int columns) {
  /** What a tile may have of each. */
  static final int MOST_ROWS = 16;

  static final int ROW_BYTES = 64;

  private static final int RESULTS = 4;
  private static final int FACTORS = 2;

  private static final int BYTES = 64;
  private static final int PALETTE = 0;
  private static final int ROW_LENGTHS = 16;
  private static final int ROW_COUNTS = 48;

  static Tmm result(int turn) {
    return new Tmm(turn % RESULTS);
  }

  static Tmm first(int turn) {
    return new Tmm(RESULTS + turn % FACTORS);
  }

  static Tmm second(int turn) {
    return new Tmm(RESULTS + FACTORS + turn % FACTORS);
  }

  /** Makes this what the registers of the thread hold, and all of them zero. */
  void load(KernelWriter w) {
    var bytes = new byte[BYTES];
    bytes[PALETTE] = 1;
    for (int turn = 0; turn < RESULTS; turn++) {
      set(bytes, result(turn), rows, 4 * columns);
      set(bytes, first(turn), rows, run);
      set(bytes, second(turn), run / 4, 4 * columns);
    }
    var name = "tiles%d,%d,%d".formatted(rows, run, columns);
    w.op(LDTILECFG, at(w.assembler().bytes(name, bytes)));
  }

  private static void set(byte[] bytes, Tmm tile, int rows, int length) {
    bytes[ROW_LENGTHS + 2 * tile.number()] = (byte) length;
    bytes[ROW_COUNTS + tile.number()] = (byte) rows;
  }
}
