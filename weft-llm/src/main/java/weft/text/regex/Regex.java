package weft.text.regex;

import weft.text.TextException;

/**
 * A compiled pattern in Oniguruma's dialect, which tokenizer.json files use; immutable and safe for
 * all threads.
 */
public final class Regex {
  private final String pattern;
  private final Program program;

  private Regex(String pattern, Program program) {
    this.pattern = pattern;
    this.program = program;
  }

  /**
   * Compiles a pattern.
   *
   * @throws TextException where the pattern is malformed, too large, or uses what no tokenizer is
   *     known to use
   */
  public static Regex of(String pattern) {
    return new Regex(pattern, Program.of(Parser.parse(pattern)));
  }

  /** Receives the matches of a search from left to right. */
  @FunctionalInterface
  public interface Sink {
    void match(int start, int end);
  }

  /**
   * Finds all matches that do not overlap inside {@code text[from, to)}, which the pattern sees as
   * a whole text. An empty match that touches the match before it does not count.
   *
   * @throws TextException where that takes more steps than the effort has left
   */
  public void findAll(char[] text, int from, int to, Effort effort, Sink sink) {
    findAll(new Matcher(program, text, from, to, effort), text, from, to, effort, sink);
  }

  /** Searches as a costly search would, remembering outcomes from the start. */
  void findAllCarefully(char[] text, int from, int to, Effort effort, Sink sink) {
    findAll(new Matcher(program, text, from, to, effort, 0), text, from, to, effort, sink);
  }

  private static void findAll(
      Matcher matcher, char[] text, int from, int to, Effort effort, Sink sink) {
    int last = -1;
    int position = from;
    while (position <= to) {
      int end = matcher.find(position);
      if (end < 0) {
        break;
      }
      if (end == matcher.matchStart() && end == last) {
        position +=
            position < to ? Character.charCount(Character.codePointAt(text, position, to)) : 1;
      } else {
        sink.match(matcher.matchStart(), end);
        last = end;
        position = end;
      }
    }
    effort.pay(matcher.steps());
  }

  @Override
  public String toString() {
    return pattern;
  }
}
