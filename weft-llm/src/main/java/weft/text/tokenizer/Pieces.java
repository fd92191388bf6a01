package weft.text.tokenizer;

/** A text cut into non-empty pieces, in order. */
final class Pieces {
  private final char[] text;
  private final int[] bounds;
  private final int count;

  /** Whether the first piece starts where the whole input starts. */
  private final boolean leading;

  private Pieces(char[] text, int[] bounds, int count, boolean leading) {
    this.text = text;
    this.bounds = bounds;
    this.count = count;
    this.leading = leading;
  }

  static Pieces of(String text, boolean leading) {
    var builder = new Builder(text.toCharArray());
    builder.add(0, text.length());
    return builder.build(leading);
  }

  char[] text() {
    return text;
  }

  int count() {
    return count;
  }

  int start(int piece) {
    return bounds[2 * piece];
  }

  int end(int piece) {
    return bounds[2 * piece + 1];
  }

  /** Whether a position is where the whole input starts. */
  boolean isLeading(int position) {
    return leading && position == bounds[0];
  }

  /** Pieces of the same text; the first of them leads if it starts where the leading one did. */
  Pieces with(Builder cut) {
    return cut.build(leading && cut.bounds.size() > 0 && cut.bounds.get(0) == bounds[0]);
  }

  /** As many pieces, with text of their own. */
  Pieces replaced(Builder rewritten) {
    return rewritten.build(leading);
  }

  /** Writes a piece anew. */
  @FunctionalInterface
  interface Rewriter {
    void rewrite(char[] text, int start, int end, StringBuilder out);
  }

  /** As many pieces, each written anew. */
  Pieces rewritten(Rewriter rewriter) {
    var out = new StringBuilder();
    var ends = new IntList();
    for (int i = 0; i < count; i++) {
      rewriter.rewrite(text, start(i), end(i), out);
      ends.add(out.length());
    }
    var rewritten = new Builder(out.toString().toCharArray());
    for (int i = 0; i < count; i++) {
      rewritten.add(i == 0 ? 0 : ends.get(i - 1), ends.get(i));
    }
    return replaced(rewritten);
  }

  /** Collects pieces from left to right and drops the empty ones. */
  static final class Builder {
    private final char[] text;
    private final IntList bounds = new IntList();

    Builder(char[] text) {
      this.text = text;
    }

    void add(int start, int end) {
      if (start < end) {
        bounds.add(start);
        bounds.add(end);
      }
    }

    private Pieces build(boolean leading) {
      int[] ends = bounds.toArray();
      return new Pieces(text, ends, ends.length / 2, leading);
    }
  }
}
