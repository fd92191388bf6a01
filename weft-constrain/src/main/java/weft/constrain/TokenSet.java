package weft.constrain;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Tokens that may come next. Immutable, safe for all threads. */
public final class TokenSet {
  private final int vocabulary;
  private final int words;

  /** Shared with others, or empty where there are few tokens. */
  private final long[] bits;

  /** More tokens, ascending. */
  private final int[] more;

  TokenSet(int vocabulary, long[] bits, int[] more, boolean isOwn) {
    this.words = (isOwn ? bits.length : 0) + more.length / 2;
    this.vocabulary = vocabulary;
    this.bits = bits;
    this.more = more;
  }

  public boolean contains(int token) {
    if (token < 0 || token >= vocabulary) return false;
    boolean isBit = bits.length > 0 && (bits[token >> 6] >>> token & 1) != 0;
    return isBit || Arrays.binarySearch(more, token) >= 0;
  }

  public boolean isEmpty() {
    return size() == 0;
  }

  /** How many there are. */
  public int size() {
    int size = 0;
    for (long word : bits) size += Long.bitCount(word);
    for (int token : more) {
      if (bits.length == 0 || (bits[token >> 6] >>> token & 1) == 0) size++;
    }
    return size;
  }

  /** Words of memory that it holds alone, roughly. */
  int words() {
    return words;
  }

  /** All of them, ascending. */
  public IntStream tokens() {
    return IntStream.range(0, vocabulary).filter(this::contains);
  }

  /** The set as bits, token 0 the lowest of the first; a copy. */
  public long[] toBits() {
    var all = bits.length > 0 ? bits.clone() : new long[(vocabulary + 63) / 64];
    for (int token : more) all[token >> 6] |= 1L << token;
    return all;
  }

  /** Sets the logits of all other tokens to negative infinity. */
  public void forbidOthers(float[] logits) {
    int known = Math.min(vocabulary, logits.length);
    if (bits.length == 0) {
      var kept = new float[more.length];
      for (int i = 0; i < more.length; i++) kept[i] = logits[more[i]];
      Arrays.fill(logits, Float.NEGATIVE_INFINITY);
      for (int i = 0; i < more.length; i++) logits[more[i]] = kept[i];
      return;
    }
    var all = toBits();
    for (int word = 0; word < all.length; word++) {
      int to = Math.min(64 * word + 64, known);
      for (long out = ~all[word]; out != 0; out &= out - 1) {
        int token = 64 * word + Long.numberOfTrailingZeros(out);
        if (token < to) logits[token] = Float.NEGATIVE_INFINITY;
      }
    }
    Arrays.fill(logits, known, logits.length, Float.NEGATIVE_INFINITY);
  }
}
