package weft.text.jinja;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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
    Deque<String> chunks = new ArrayDeque<>(chunks(text));
    List<String> lines = new ArrayList<>();
    while (!chunks.isEmpty()) {
      if (!lines.isEmpty() && isBlank(chunks.getFirst())) {
        chunks.removeFirst();
      }
      List<String> line = line(chunks);
      if (!line.isEmpty() && isBlank(line.getLast())) {
        line.removeLast();
      }
      if (!line.isEmpty()) {
        lines.add(TextBuilder.joined(run, line, ""));
      }
    }
    return lines;
  }

  /** Takes the chunks of the next line, or a part of one that is longer than any line. */
  private List<String> line(Deque<String> chunks) {
    List<String> line = new ArrayList<>();
    int length = 0;
    while (!chunks.isEmpty() && length + Characters.length(chunks.getFirst()) <= width) {
      run.budget().step();
      length += Characters.length(chunks.getFirst());
      line.add(chunks.removeFirst());
    }
    if (!chunks.isEmpty() && Characters.length(chunks.getFirst()) > width) {
      run.budget().text(chunks.getFirst().length());
      if (breakLongWords) {
        String chunk = chunks.removeFirst();
        int cut = cut(chunk, width - length);
        line.add(chunk.substring(0, cut));
        chunks.addFirst(chunk.substring(cut));
      } else if (line.isEmpty()) {
        line.add(chunks.removeFirst());
      }
    }
    return line;
  }

  /**
   * Where a word longer than a line is cut: behind its last hyphen that fits, else where the room
   * ends.
   */
  private int cut(String chunk, int room) {
    int end = Characters.offset(chunk, room);
    int hyphen = breakOnHyphens ? chunk.lastIndexOf('-', end - 1) : -1;
    boolean inside = hyphen > 0 && chunk.substring(0, hyphen).chars().anyMatch(c -> c != '-');
    return inside ? hyphen + 1 : end;
  }

  private static boolean isBlank(String chunk) {
    return Characters.strip(chunk).isEmpty();
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
      run.budget().items(1);
      if (blank || !breakOnHyphens) {
        chunks.add(text.substring(at, end));
      } else {
        hyphenated(text.substring(at, end), chunks);
      }
      at = end;
    }
    return chunks;
  }

  private void hyphenated(String word, List<String> chunks) {
    int start = 0;
    for (int i = 1; i < word.length(); i++) {
      if (breaksBefore(word, start, i)) {
        run.budget().items(1);
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
