package weft.text.jinja;

/**
 * Substring search whose worst case is linear, since needle and text may both come from a hostile
 * template.
 */
final class TextSearch {
  /**
   * Below this many comparisons the plain search of the JDK is faster and its worst case harmless.
   */
  private static final long PLAIN = 1L << 20;

  private final Run run;
  private final String text;
  private final String needle;
  private final int[] borders;

  TextSearch(Run run, String text, String needle) {
    this.run = run;
    this.text = text;
    this.needle = needle;
    this.borders =
        (long) text.length() * needle.length() < PLAIN ? new int[0] : borders(run, needle);
  }

  /** The first occurrence at or after {@code from}, or -1. */
  int next(int from) {
    return next(from, text.length());
  }

  /** The first occurrence that lies within {@code from} and {@code to}, or -1. */
  int next(int from, int to) {
    if (from > to) {
      return -1;
    }
    int found = borders.length == 0 ? text.indexOf(needle, from, to) : scan(from, to);
    run.budget().scan((found < 0 ? to : found + needle.length()) - from);
    return found;
  }

  /** The last occurrence that lies within {@code from} and {@code to}, or -1. */
  int last(int from, int to) {
    if (borders.length == 0) {
      run.budget().scan(Math.max(0, to - from));
      int found = text.lastIndexOf(needle, to - needle.length());
      return found >= from ? found : -1;
    }
    run.budget().text(to - from);
    String backwards = TextBuilder.reversed(run, text.substring(from, to));
    int found = new TextSearch(run, backwards, TextBuilder.reversed(run, needle)).next(0);
    return found < 0 ? -1 : to - found - needle.length();
  }

  private int scan(int from, int to) {
    int matched = 0;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      while (matched > 0 && needle.charAt(matched) != c) {
        matched = borders[matched - 1];
      }
      if (needle.charAt(matched) == c && ++matched == needle.length()) {
        return i - matched + 1;
      }
    }
    return -1;
  }

  /** For each prefix the length of its longest proper border (Knuth, Morris and Pratt). */
  private static int[] borders(Run run, String needle) {
    run.budget().text(2L * needle.length());
    int[] borders = new int[needle.length()];
    int length = 0;
    for (int i = 1; i < needle.length(); i++) {
      while (length > 0 && needle.charAt(length) != needle.charAt(i)) {
        length = borders[length - 1];
      }
      if (needle.charAt(length) == needle.charAt(i)) {
        length++;
      }
      borders[i] = length;
    }
    return borders;
  }
}
