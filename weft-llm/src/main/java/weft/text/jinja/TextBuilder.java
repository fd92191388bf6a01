package weft.text.jinja;

/** A string builder that pays for what it builds before it grows. */
final class TextBuilder {
  private final Run run;
  private final StringBuilder text = new StringBuilder();

  TextBuilder(Run run) {
    this.run = run;
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

  TextBuilder appendRepeated(String part, int count) {
    pay((long) part.length() * count);
    text.repeat(part, count);
    return this;
  }

  private void pay(long characters) {
    run.budget().text(characters);
    run.budget().length(text.length() + characters);
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
