package weft.constrain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The tokens that texts are made of: the bytes that each adds to a text, and which end it. To make
 * one takes a while for a large vocabulary; it serves any number of constraints. Safe for all
 * threads.
 */
public final class Vocabulary {
  /** No token is as long as to need more; what is longer is never allowed. */
  private static final int LONGEST_TOKEN = 4_096;

  private final byte[][] texts;
  private final int[] ends;

  /** By their texts. */
  private final int[] sorted;

  /** For each token, the next with the same text, or none. */
  private final int[] same;

  private final Trie trie;
  private final Map<Slice, Slice.Share> shares = new EnumMap<>(Slice.class);

  private Vocabulary(byte[][] texts, int[] ends) {
    this.texts = texts;
    this.ends = ends;
    this.same = new int[texts.length];
    Arrays.fill(same, Trie.NO_TOKEN);
    this.sorted = sort(texts);
    for (int i = sorted.length - 1; i > 0; i--) {
      int before = sorted[i - 1];
      if (Arrays.equals(texts[before], texts[sorted[i]])) same[before] = sorted[i];
    }
    this.trie = Trie.of(texts, sorted);
    // Now rather than at some token, which others wait for.
    for (var slice : Slice.values()) shares.put(slice, Slice.Share.of(slice, texts, sorted));
  }

  /**
   * A vocabulary.
   *
   * @param texts what each token adds to a text, by its id; empty for those that a text never holds
   * @param ends the tokens that end a text
   */
  public static Vocabulary of(List<byte[]> texts, Set<Integer> ends) {
    var copies = new ArrayList<byte[]>();
    for (var text : texts) copies.add(text.clone());
    for (int end : ends) {
      if (end < 0 || end >= copies.size()) {
        throw new ConstrainException(
            "token %d ends a text, but the vocabulary has %d tokens".formatted(end, copies.size()));
      }
      copies.set(end, new byte[0]);
    }
    return new Vocabulary(
        copies.toArray(byte[][]::new),
        new TreeSet<>(ends).stream().mapToInt(Integer::intValue).toArray());
  }

  private static int[] sort(byte[][] texts) {
    var order = new ArrayList<Integer>();
    for (int token = 0; token < texts.length; token++) {
      if (texts[token].length > 0 && texts[token].length <= LONGEST_TOKEN) order.add(token);
    }
    order.sort(
        (x, y) -> {
          int order1 = Arrays.compareUnsigned(texts[x], texts[y]);
          return order1 != 0 ? order1 : Integer.compare(x, y);
        });
    return order.stream().mapToInt(Integer::intValue).toArray();
  }

  /** How many tokens there are. */
  public int size() {
    return texts.length;
  }

  /** Whether a token ends a text. */
  public boolean isEnd(int token) {
    return Arrays.binarySearch(ends, token) >= 0;
  }

  /** What a token adds to a text; empty for those that a text never holds. */
  public byte[] text(int token) {
    return texts[token].clone();
  }

  /** The same, not to be written to. */
  byte[] shared(int token) {
    return texts[token];
  }

  int[] ends() {
    return ends;
  }

  Trie trie() {
    return trie;
  }

  /** The next token with the same text, or {@link Trie#NO_TOKEN}. */
  int sameAs(int token) {
    return same[token];
  }

  /** Which tokens consist of a slice's characters alone. */
  Slice.Share share(Slice slice) {
    return Objects.requireNonNull(shares.get(slice));
  }
}
