package weft.cpu.kernel.product;

import weft.cpu.kernel.format.AbreastCode;
import weft.cpu.kernel.format.LongAbreastCode;
import weft.cpu.kernel.format.Stash;

/**
 * How {@link Activations} of some tokens lie in a worker's scratch memory for {@link
 * AbreastMatMul}: in turns of so many, and of each turn in the order in which they are met.
 *
 * <pre>
 *   sums      [8 tokens][16 rows]      floats: what the blocks came to so far
 *   stash     16 registers             of the format's code
 *   x         [turns][k/16][tokens]    16 bytes each
 *   heads     [turns][blocks] of
 *     scales  [tokens] floats
 *     sums    [runs][tokens] integers  what a run begins with, or what its minimum multiplies;
 *             [tokens][runs] words     the latter where minimums are words
 * </pre>
 *
 * @param tokens of a turn
 * @param values in a block
 */
public record AbreastLayout(int tokens, int values, int run, boolean meetsWords) {
  /** The most tokens of a turn: what leaves room for the weights in registers. */
  static final int MOST_TOKENS = 8;

  /** The most activations that the scratch memory holds, of all tokens. */
  public static final int MOST_VALUES = 1 << 19;

  static final int LENGTH = 64;
  static final int SUMS = 0;
  static final int STASH = SUMS + MOST_TOKENS * LENGTH;
  static final int X = STASH + Stash.BYTES;
  static final int HEADS = X + MOST_VALUES;

  /** Of 256 values, sixteen sums and a scale are the most that a head has. */
  static final int SIZE = HEADS + MOST_VALUES / 256 * Float.BYTES * (16 + 1);

  static AbreastLayout of(AbreastCode code, int tokens) {
    return new AbreastLayout(tokens, code.values(), code.run(), meetsWords(code));
  }

  /** Whether minimums are words, which meet sums of activations that are. */
  private static boolean meetsWords(AbreastCode code) {
    return code.hasMinimums() && code instanceof LongAbreastCode;
  }

  /** Of so many tokens, those of each turn: as many as of every other, or one less. */
  static int turn(long tokens) {
    return (int) Math.ceilDiv(tokens, Math.ceilDiv(tokens, MOST_TOKENS));
  }

  /** Whether the activations of so many tokens of so many values have room. */
  static boolean takes(long tokens, long k) {
    long places = turn(tokens) * Math.ceilDiv(tokens, (long) turn(tokens));
    return places * k <= MOST_VALUES;
  }

  /** Bytes of a chunk of activations, of all tokens. */
  int chunkBytes() {
    return AbreastCode.CHUNK * tokens;
  }

  int runs() {
    return values / run;
  }

  /** Where in a head a token's scale is. */
  static int scale(int token) {
    return Float.BYTES * token;
  }

  /** Where in a head a token's sum of a run is. */
  int sum(int run, int token) {
    return meetsWords
        ? scale(tokens) + Short.BYTES * (runs() * token + run)
        : scale(tokens) + Integer.BYTES * (tokens * run + token);
  }

  int headBytes() {
    return scale(tokens) + (meetsWords ? Short.BYTES : Integer.BYTES) * runs() * tokens;
  }
}
