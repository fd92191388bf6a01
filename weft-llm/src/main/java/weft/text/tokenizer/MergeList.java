package weft.text.tokenizer;

import java.util.Arrays;
import weft.text.TextException;

/**
 * The merges of a BPE vocabulary in order, as text: the two halves of each stand next to each other
 * in one array.
 */
final class MergeList {
  /** What becomes of a merge of tokens, or to a token, that the vocabulary lacks. */
  enum Missing {
    REFUSED,
    SKIPPED
  }

  private char[] text = new char[1024];
  private int length;
  private final IntList ends = new IntList();

  void add(char[] source, int offset, int leftLength, int rightOffset, int rightLength) {
    int needed = length + leftLength + rightLength;
    if (needed > text.length) {
      text = Arrays.copyOf(text, Math.max(needed, 2 * text.length));
    }
    System.arraycopy(source, offset, text, length, leftLength);
    System.arraycopy(source, rightOffset, text, length + leftLength, rightLength);
    ends.add(length + leftLength);
    ends.add(needed);
    length = needed;
  }

  void add(char[] left, char[] right) {
    char[] both = Arrays.copyOf(left, left.length + right.length);
    System.arraycopy(right, 0, both, left.length, right.length);
    add(both, 0, left.length, left.length, right.length);
  }

  /**
   * Adds a merge written with one space between its halves; false where there is not exactly one.
   */
  boolean add(char[] source, int offset, int sourceLength) {
    int space = -1;
    for (int i = offset; i < offset + sourceLength; i++) {
      if (source[i] == ' ') {
        if (space >= 0) {
          return false;
        }
        space = i;
      }
    }
    if (space < 0) {
      return false;
    }
    add(source, offset, space - offset, space + 1, offset + sourceLength - space - 1);
    return true;
  }

  /**
   * The merges as ids: left, right, result, left, right, result, …
   *
   * @param prefix what marks a right half as the continuation of a word, and is no part of the
   *     result
   */
  IntList resolve(TokenIndex index, String prefix, Missing missing) {
    var triples = new IntList();
    int start = 0;
    for (int i = 0; i < ends.size(); i += 2) {
      int middle = ends.get(i);
      int end = ends.get(i + 1);
      int left = index.find(text, start, middle);
      int right = index.find(text, middle, end);
      int result =
          prefix.isEmpty()
              ? index.find(text, start, end)
              : index.find(joined(start, middle, Math.min(end, middle + prefix.length()), end));
      boolean incomplete = left < 0 || right < 0 || result < 0;
      if (incomplete && missing == Missing.REFUSED) {
        throw new TextException(
            "the tokenizer merges '"
                + new String(text, start, middle - start)
                + "' and '"
                + new String(text, middle, end - middle)
                + "', but its vocabulary lacks one of them or the result; the file is incomplete");
      }
      if (!incomplete) {
        triples.add(left);
        triples.add(right);
        triples.add(result);
      }
      start = end;
    }
    return triples;
  }

  private String joined(int start, int middle, int right, int end) {
    return new String(text, start, middle - start) + new String(text, right, end - right);
  }
}
