package weft.text.tokenizer;

import weft.text.TextException;

/** Turns merges from text to ids, one by one. */
final class MergeResolver {
  /** What becomes of a merge of tokens, or to a token, that the vocabulary lacks. */
  enum Missing {
    REFUSED,
    SKIPPED
  }

  private final TokenIndex index;
  private final String prefix;
  private final Missing missing;
  private final IntList triples;

  /**
   * @param prefix what marks a right half as the continuation of a word, and is no part of the
   *     result
   * @param expected about how many merges there are
   */
  MergeResolver(TokenIndex index, String prefix, Missing missing, int expected) {
    this.index = index;
    this.prefix = prefix;
    this.missing = missing;
    this.triples = new IntList(3 * expected);
  }

  /** Adds the next merge, whose halves stand next to each other. */
  void add(char[] text, int start, int middle, int end) {
    int left = index.find(text, start, middle);
    int right = index.find(text, middle, end);
    int result =
        prefix.isEmpty()
            ? index.find(text, start, end)
            : index.find(joined(text, start, middle, end));
    if (left >= 0 && right >= 0 && result >= 0) {
      triples.add(left);
      triples.add(right);
      triples.add(result);
    } else if (missing == Missing.REFUSED) {
      throw new TextException(
          "the tokenizer merges '"
              + new String(text, start, middle - start)
              + "' and '"
              + new String(text, middle, end - middle)
              + "', but its vocabulary lacks one of them or the result; the file is incomplete");
    }
  }

  private String joined(char[] text, int start, int middle, int end) {
    int right = Math.min(end, middle + prefix.length());
    return new String(text, start, middle - start) + new String(text, right, end - right);
  }

  /** The merges as ids: left, right, result, left, right, result, … */
  IntList triples() {
    return triples;
  }
}
