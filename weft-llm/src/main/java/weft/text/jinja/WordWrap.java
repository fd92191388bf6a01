package weft.text.jinja;

import java.util.ArrayList;
import java.util.List;

/** Breaks one line of text into lines of a width, as Python's textwrap does. */
final class WordWrap {
  private final Run run;
  private final int width;
  private final boolean breakLongWords;
  private final boolean breakOnHyphens;

  WordWrap(Run run, int width, boolean breakLongWords, boolean breakOnHyphens) {
    this.run = run;
    this.width = width;
    this.breakLongWords = breakLongWords;
    this.breakOnHyphens = breakOnHyphens;
  }

  List<String> lines(String text) {
    run.budget().text(2L * text.length());
    List<String> chunks = chunks(text);
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    int length = 0;
    int next = 0;
    String chunk = chunks.isEmpty() ? "" : chunks.getFirst();
    while (next < chunks.size()) {
      run.budget().step();
      boolean blank = Characters.strip(chunk).isEmpty();
      int size = Characters.length(chunk);
      if (blank && length == 0 && !lines.isEmpty()) {
        size = 0;
        chunk = "";
      } else if (length + size > width) {
        if (size > width && breakLongWords && (length < width || length == 0)) {
          int cut = cut(chunk, Math.max(1, width - length));
          line.append(chunk, 0, cut);
          chunk = chunk.substring(cut);
          finish(lines, line);
          length = 0;
          continue;
        }
        if (length > 0) {
          finish(lines, line);
          length = 0;
          continue;
        }
      }
      line.append(chunk);
      length += size;
      next++;
      chunk = next < chunks.size() ? chunks.get(next) : "";
    }
    finish(lines, line);
    return lines;
  }

  /**
   * Where a word longer than a line is cut: behind its last hyphen that fits, else at the width.
   */
  private int cut(String chunk, int room) {
    int end = Characters.offset(chunk, room);
    if (breakOnHyphens) {
      int hyphen = chunk.lastIndexOf('-', end - 1);
      boolean letters = hyphen > 0 && chunk.substring(0, hyphen).chars().anyMatch(c -> c != '-');
      if (letters) {
        return hyphen + 1;
      }
    }
    return end;
  }

  private static void finish(List<String> lines, StringBuilder line) {
    String text = Characters.strip(line.toString(), WordWrap::isBlank, false, true);
    if (!text.isEmpty()) {
      lines.add(text);
    }
    line.setLength(0);
  }

  private static boolean isBlank(int c) {
    return c == ' ' || c >= '\t' && c <= '\r';
  }

  /** Runs of blanks and the words between them, cut behind hyphens inside words. */
  private List<String> chunks(String text) {
    List<String> chunks = new ArrayList<>();
    int at = 0;
    while (at < text.length()) {
      boolean blank = isBlank(text.charAt(at));
      int end = at;
      while (end < text.length() && isBlank(text.charAt(end)) == blank) {
        end++;
      }
      if (blank || !breakOnHyphens) {
        chunks.add(text.substring(at, end));
      } else {
        hyphenated(text.substring(at, end), chunks);
      }
      at = end;
    }
    return chunks;
  }

  private static void hyphenated(String word, List<String> chunks) {
    int start = 0;
    for (int i = 1; i < word.length(); i++) {
      if (breaksBefore(word, start, i)) {
        chunks.add(word.substring(start, i));
        start = i;
      }
    }
    chunks.add(word.substring(start));
  }

  /** Python breaks after a hyphen between letters, and around a dash of two or more. */
  private static boolean breaksBefore(String word, int start, int at) {
    boolean dashStarts = word.startsWith("--", at) && word.charAt(at - 1) != '-';
    if (dashStarts) {
      return isDash(word, at);
    }
    if (word.charAt(at - 1) != '-' || word.charAt(at) == '-') {
      return false;
    }
    int dash = at - 1;
    while (dash > 0 && word.charAt(dash - 1) == '-') {
      dash--;
    }
    if (at - dash > 1) {
      return dash == start && isDash(word, dash);
    }
    int hyphen = at - 1;
    boolean lettersBefore =
        hyphen - start >= 2 && isLetter(word, hyphen - 1) && isLetter(word, hyphen - 2)
            || hyphen - start >= 3
                && isLetter(word, hyphen - 1)
                && word.charAt(hyphen - 2) == '-'
                && isLetter(word, hyphen - 3);
    boolean lettersAfter =
        isLetter(word, at)
            && (isLetter(word, at + 1) || isHyphen(word, at + 1) && isLetter(word, at + 2));
    return lettersBefore && lettersAfter;
  }

  private static boolean isDash(String word, int at) {
    int end = at;
    while (end < word.length() && word.charAt(end) == '-') {
      end++;
    }
    return at > 0
        && end < word.length()
        && Characters.isWord(word.codePointAt(end))
        && (Characters.isWord(word.codePointBefore(at))
            || "!\"'&.,?".indexOf(word.charAt(at - 1)) >= 0);
  }

  private static boolean isHyphen(String word, int at) {
    return at < word.length() && word.charAt(at) == '-';
  }

  private static boolean isLetter(String word, int at) {
    return at >= 0
        && at < word.length()
        && (Character.isLetter(word.charAt(at)) || word.charAt(at) == '_');
  }
}
