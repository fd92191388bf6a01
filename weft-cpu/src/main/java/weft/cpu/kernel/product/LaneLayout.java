package weft.cpu.kernel.product;

import weft.cpu.kernel.format.LongBlockCode;

/**
 * How eight or sixteen tokens lie side by side in registers of 256 bits, four bytes of each, and
 * what a worker's scratch memory holds while packed rows of 256-value blocks meet them.
 *
 * <pre>
 *   bytes    [4 rows][256]           unpacked weights
 *   scales   [4 rows][16] ints       their scales as words, each twice
 *   extras   [4 rows][16] words      minimums, or scales again: what meets the activations' sums
 *   sums     [32] floats             what the blocks so far came to, of each row and token
 *   blocks   [k/256] of
 *     x      [256/4][tokens][4] bytes
 *     sums   [256/run/2][tokens][2] words
 *     scale  [tokens] floats
 * </pre>
 *
 * @param tokens 8 or 16
 * @param words of sums in a block: 16, 8 or none
 */
record LaneLayout(int tokens, int words) {
  static final int LANES = 8;
  static final int LENGTH = 32;
  static final int WIDTH = 4;
  static final int MOST_TOKENS = 16;

  /** Rows and registers of tokens whose sums there is room for. */
  static final int SUMS_IN_FLIGHT = 4;

  static final int BYTES = 0;
  static final int BYTE_ROW = LongBlockCode.VALUES;
  static final int SCALES = BYTES + SUMS_IN_FLIGHT * BYTE_ROW;
  static final int SCALE_ROW = 64;
  static final int EXTRAS = SCALES + SUMS_IN_FLIGHT * SCALE_ROW;
  static final int EXTRA_ROW = 32;
  static final int SUMS = EXTRAS + SUMS_IN_FLIGHT * EXTRA_ROW;
  static final int BLOCKS = SUMS + SUMS_IN_FLIGHT * LENGTH;

  /** What the largest layout takes. */
  static final int SIZE =
      BLOCKS + FewLayout.MOST_VALUES / LongBlockCode.VALUES * new LaneLayout(16, 16).blockBytes();

  static LaneLayout of(LongBlockCode code, int tokens) {
    boolean takesSums = !PairProducts.areSigned(code);
    return new LaneLayout(tokens, takesSums ? LongBlockCode.VALUES / code.run() : 0);
  }

  /** Registers that hold the same bytes of all tokens. */
  int registers() {
    return tokens / LANES;
  }

  /** Rows that are read side by side. */
  int streams() {
    return SUMS_IN_FLIGHT / registers();
  }

  /** Where in a block the bytes from a value on are, of the tokens in a register. */
  int x(int value, int register) {
    return value * tokens + LENGTH * register;
  }

  /** Where in a block the sums from a word on are. */
  int sums(int word, int register) {
    return (LongBlockCode.VALUES + 2 * word) * tokens + LENGTH * register;
  }

  int scale(int register) {
    return sums(words, register);
  }

  int blockBytes() {
    return scale(registers());
  }
}
