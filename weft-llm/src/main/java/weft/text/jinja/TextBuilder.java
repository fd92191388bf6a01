package weft.text.jinja;

/**
 * The one place where a rendering's texts grow, so that each is paid for before it is there: no
 * other class may repeat, join or build text, as GrowthTest sees to.
 */
final class TextBuilder {
  /** A text of some length pays for a little more ahead, so that characters need not one by one. */
  private static final int AHEAD = 4096;

  private final Run run;
  private final StringBuilder text = new StringBuilder();
  private long paid;

  TextBuilder(Run run) {
    this.run = run;
  }

  static String repeated(Run run, String part, int count) {
    return count <= 0 ? "" : new TextBuilder(run).appendRepeated(part, count).toString();
  }

  /** The text from its last character to its first. */
  static String reversed(Run run, String text) {
    var backwards = new TextBuilder(run).append(text);
    backwards.text.reverse();
    return backwards.toString();
  }

  TextBuilder append(String part) {
    pay(part.length());
    text.append(part);
    return this;
  }

  TextBuilder append(String whole, int from, int to) {
    pay(to - from);
    text.append(whole, from, to);
    return this;
  }

  TextBuilder append(char c) {
    pay(1);
    text.append(c);
    return this;
  }

  TextBuilder appendCodePoint(int c) {
    pay(Character.charCount(c));
    text.appendCodePoint(c);
    return this;
  }

  TextBuilder appendRepeated(String part, int count) {
    pay((long) part.length() * count);
    text.repeat(part, count);
    return this;
  }

  private void pay(long characters) {
    long length = text.length() + characters;
    if (length > paid) {
      run.budget().length(length);
      long ahead = Math.max(length, paid + Math.min(AHEAD, paid >> 3));
      run.budget().text(ahead - paid);
      paid = ahead;
    }
  }

  int length() {
    return text.length();
  }

  @Override
  public String toString() {
    run.budget().text(text.length());
    return text.toString();
  }
}
