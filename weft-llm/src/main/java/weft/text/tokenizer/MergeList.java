package weft.text.tokenizer;

import java.util.Arrays;

/**
 * The merges of a BPE vocabulary in order, as text, until the vocabulary is known: the two halves
 * of each stand next to each other in one array.
 */
final class MergeList {
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

  int size() {
    return ends.size() / 2;
  }

  void resolve(MergeResolver resolver) {
    int start = 0;
    for (int i = 0; i < ends.size(); i += 2) {
      resolver.add(text, start, ends.get(i), ends.get(i + 1));
      start = ends.get(i + 1);
    }
  }
}
