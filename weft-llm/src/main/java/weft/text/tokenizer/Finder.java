package weft.text.tokenizer;

import weft.text.regex.Effort;
import weft.text.regex.Regex;
import weft.unicode.CodePointSet;

/**
 * Something to look for in text: a regular expression, a fixed string, or single characters of a
 * set.
 */
sealed interface Finder {
  /** Reports all matches inside {@code text[from, to)} from left to right. */
  void findAll(char[] text, int from, int to, Effort effort, Regex.Sink sink);

  /** Finds a regular expression. */
  record Pattern(Regex regex) implements Finder {
    @Override
    public void findAll(char[] text, int from, int to, Effort effort, Regex.Sink sink) {
      regex.findAll(text, from, to, effort, sink);
    }
  }

  /** Finds a string; an empty one is nowhere. */
  record Literal(String string) implements Finder {
    @Override
    public void findAll(char[] text, int from, int to, Effort effort, Regex.Sink sink) {
      int length = string.length();
      for (int i = from; length > 0 && i + length <= to; ) {
        if (text[i] == string.charAt(0) && matches(text, i, effort)) {
          sink.match(i, i + length);
          i += length;
        } else {
          i++;
        }
      }
    }

    private boolean matches(char[] text, int at, Effort effort) {
      int same = 1;
      while (same < string.length() && text[at + same] == string.charAt(same)) {
        same++;
      }
      effort.pay(same);
      return same == string.length();
    }
  }

  /** Finds each character of a set by itself. */
  record Members(CodePointSet set) implements Finder {
    @Override
    public void findAll(char[] text, int from, int to, Effort effort, Regex.Sink sink) {
      for (int i = from; i < to; ) {
        int c = Character.codePointAt(text, i, to);
        int next = i + Character.charCount(c);
        if (set.contains(c)) {
          sink.match(i, next);
        }
        i = next;
      }
    }
  }

  /** A text with every match replaced. */
  default String replaceAll(String text, String replacement, Effort effort) {
    char[] chars = text.toCharArray();
    var replaced = new StringBuilder(chars.length);
    int[] kept = {0};
    findAll(
        chars,
        0,
        chars.length,
        effort,
        (start, end) -> {
          replaced.append(chars, kept[0], start - kept[0]).append(replacement);
          kept[0] = end;
          Growth.check(chars.length, replaced.length());
        });
    return kept[0] == 0 && replaced.isEmpty()
        ? text
        : replaced.append(chars, kept[0], chars.length - kept[0]).toString();
  }
}
