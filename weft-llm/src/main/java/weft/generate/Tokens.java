package weft.generate;

import java.util.Arrays;

/**
 * A text of token ids that grows at its end; outside this package it is read only. Belongs to the
 * thread that has its sequence or turn.
 */
public final class Tokens {
  private int[] ids;
  private int length;

  private Tokens(int[] ids) {
    this.ids = ids;
    this.length = ids.length;
  }

  public static Tokens of(int... ids) {
    return new Tokens(ids.clone());
  }

  public int length() {
    return length;
  }

  public int at(int index) {
    return ids[check(index, length - 1)];
  }

  public int[] toArray() {
    return Arrays.copyOf(ids, length);
  }

  int[] slice(int from, int to) {
    return Arrays.copyOfRange(ids, check(from, to), check(to, length));
  }

  void add(int... more) {
    if (length + more.length > ids.length) {
      ids = Arrays.copyOf(ids, Math.max(length + more.length, length + length / 2 + 16));
    }
    System.arraycopy(more, 0, ids, length, more.length);
    length += more.length;
  }

  void truncate(int to) {
    length = check(to, length);
  }

  int sharedPrefix(int[] other) {
    int differs = Arrays.mismatch(ids, 0, length, other, 0, other.length);
    return differs < 0 ? length : differs;
  }

  private static int check(int index, int last) {
    if (index < 0 || index > last) {
      throw new IndexOutOfBoundsException("token " + index + " of a text that ends at " + last);
    }
    return index;
  }

  static void requireInVocabulary(int[] tokens, int vocabularySize) {
    requireInVocabulary(tokens, vocabularySize, Album.NONE);
  }

  /** Rows of these pictures may be among them. */
  static void requireInVocabulary(int[] tokens, int vocabularySize, Album album) {
    for (int i = 0; i < tokens.length; i++) {
      if (!album.isEmpty() && Album.isRow(tokens[i])) {
        album.at(tokens[i]);
        continue;
      }
      if (tokens[i] < 0 || tokens[i] >= vocabularySize) {
        throw new GenerateException(
            "token "
                + i
                + " has id "
                + tokens[i]
                + ", but the vocabulary ends at "
                + (vocabularySize - 1)
                + "; use the tokenizer of this model.");
      }
    }
  }

  @Override
  public String toString() {
    return Arrays.toString(toArray());
  }
}
