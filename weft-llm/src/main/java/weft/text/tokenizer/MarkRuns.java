package weft.text.tokenizer;

import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import weft.unicode.UnicodeProperty;

/**
 * Sorts long runs of combining marks into canonical order before {@link Normalizer} sees them: it
 * sorts them itself, but in time quadratic in their number. The result has the same normal forms as
 * the text.
 */
final class MarkRuns {
  /** Runs this long do not occur in writing, and are no burden yet. */
  private static final int LONG = 128;

  /** The mark whose combining class is above that of all others. */
  private static final String HIGHEST = "\u0345";

  private final Form form;
  private final Map<String, Integer> ranks = new HashMap<>();

  private MarkRuns(Form form) {
    this.form = form;
  }

  static String sort(String text, Form form) {
    var result = new StringBuilder(text.length());
    var runs = new MarkRuns(form == Form.NFC || form == Form.NFD ? Form.NFD : Form.NFKD);
    int copied = 0;
    for (int i = 0; i < text.length(); ) {
      int end = runEnd(text, i);
      if (end - i >= LONG) {
        result.append(text, copied, i).append(runs.sorted(text.substring(i, end)));
        copied = end;
      }
      i = end == i ? i + Character.charCount(text.codePointAt(i)) : end;
    }
    return copied == 0 ? text : result.append(text, copied, text.length()).toString();
  }

  private static int runEnd(String text, int start) {
    int end = start;
    while (end < text.length()) {
      int c = text.codePointAt(end);
      if (!UnicodeProperty.MARK.contains(c)) {
        break;
      }
      end += Character.charCount(c);
    }
    return end;
  }

  private String sorted(String run) {
    String[] marks =
        run.codePoints()
            .mapToObj(c -> Normalizer.normalize(Character.toString(c), form))
            .flatMap(decomposed -> decomposed.codePoints().mapToObj(Character::toString))
            .toArray(String[]::new);
    rank(marks);
    // A mark of rank 0 is no combining character to Unicode: nothing moves across it.
    for (int i = 0; i < marks.length; ) {
      int end = i;
      while (end < marks.length && ranks.get(marks[end]) > 0) {
        end++;
      }
      Arrays.sort(marks, i, end, Comparator.comparing(ranks::get));
      i = end + 1;
    }
    return String.join("", marks);
  }

  /**
   * Ranks marks as their combining classes do, which Java does not tell: two marks swap if the
   * first has the higher one.
   */
  private void rank(String[] marks) {
    ranks.clear();
    var combining = new ArrayList<String>();
    for (String mark : marks) {
      if (!ranks.containsKey(mark)) {
        ranks.put(mark, 0);
        if (mark.equals(HIGHEST) || swaps(HIGHEST, mark)) {
          combining.add(mark);
        }
      }
    }
    combining.sort(MarkRuns::compare);
    int rank = 1;
    for (int i = 0; i < combining.size(); i++) {
      if (i > 0 && compare(combining.get(i - 1), combining.get(i)) != 0) {
        rank++;
      }
      ranks.put(combining.get(i), rank);
    }
  }

  private static int compare(String a, String b) {
    return swaps(a, b) ? 1 : swaps(b, a) ? -1 : 0;
  }

  private static boolean swaps(String a, String b) {
    return !a.equals(b) && Normalizer.normalize(a + b, Form.NFD).equals(b + a);
  }
}
