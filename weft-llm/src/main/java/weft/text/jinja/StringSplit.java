package weft.text.jinja;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import weft.text.jinja.Arguments.Bound;
import weft.text.jinja.Value.Listing;
import weft.text.jinja.Value.Text;

/** Python's {@code split}, {@code rsplit} and {@code splitlines}. */
final class StringSplit {
  private StringSplit() {}

  static Listing split(Run run, Value self, Arguments arguments) {
    Bound bound = arguments.bind("split", "sep", "maxsplit");
    Text text = (Text) self;
    int most = limit(bound);
    run.budget().text(text.text().length());
    List<String> parts =
        bound.given(0).isEmpty()
            ? words(run, text.text(), most)
            : atSeparator(run, text.text(), separator(bound), most);
    return StringMethods.listing(run, text, parts);
  }

  static Listing rsplit(Run run, Value self, Arguments arguments) {
    Bound bound = arguments.bind("rsplit", "sep", "maxsplit");
    Text text = (Text) self;
    int most = limit(bound);
    run.budget().text(text.text().length());
    List<String> parts =
        bound.given(0).isEmpty()
            ? lastWords(run, text.text(), most)
            : atLastSeparators(run, text.text(), separator(bound), most);
    return StringMethods.listing(run, text, parts);
  }

  static Listing splitLines(Run run, Value self, Arguments arguments) {
    Bound bound = arguments.bind("splitlines", "keepends");
    Text text = (Text) self;
    run.budget().text(text.text().length());
    List<String> lines = Characters.lines(run, text.text(), bound.truth(0, false));
    return StringMethods.listing(run, text, lines);
  }

  private static int limit(Bound bound) {
    int most = bound.integer(1, -1);
    return most < 0 ? Integer.MAX_VALUE : most;
  }

  private static String separator(Bound bound) {
    String separator = bound.text(0);
    if (separator.isEmpty()) {
      throw Failure.runtime("empty separator");
    }
    return separator;
  }

  private static List<String> atSeparator(Run run, String text, String separator, int most) {
    TextSearch search = new TextSearch(run, text, separator);
    List<String> parts = new ArrayList<>();
    int start = 0;
    while (parts.size() < most) {
      int at = search.next(start);
      if (at < 0) {
        break;
      }
      run.budget().items(1);
      parts.add(text.substring(start, at));
      start = at + separator.length();
    }
    parts.add(text.substring(start));
    return parts;
  }

  /** Splitting from the right is splitting the reversed string, which keeps the search linear. */
  private static List<String> atLastSeparators(Run run, String text, String separator, int most) {
    List<String> parts =
        atSeparator(
            run, TextBuilder.reversed(run, text), TextBuilder.reversed(run, separator), most);
    Collections.reverse(parts);
    parts.replaceAll(part -> TextBuilder.reversed(run, part));
    return parts;
  }

  private static List<String> words(Run run, String text, int most) {
    List<String> words = new ArrayList<>();
    int at = skip(text, 0, true);
    while (at < text.length()) {
      run.budget().items(1);
      if (words.size() == most) {
        words.add(text.substring(at));
        break;
      }
      int end = skip(text, at, false);
      words.add(text.substring(at, end));
      at = skip(text, end, true);
    }
    return words;
  }

  /** The first offset from {@code at} whose character is not (or is) a space. */
  private static int skip(String text, int at, boolean spaces) {
    int offset = at;
    while (offset < text.length() && Characters.isSpace(text.charAt(offset)) == spaces) {
      offset++;
    }
    return offset;
  }

  private static List<String> lastWords(Run run, String text, int most) {
    List<String> words = new ArrayList<>();
    int end = skipBack(text, text.length(), true);
    while (end > 0) {
      run.budget().items(1);
      if (words.size() == most) {
        words.add(text.substring(0, end));
        break;
      }
      int start = skipBack(text, end, false);
      words.add(text.substring(start, end));
      end = skipBack(text, start, true);
    }
    Collections.reverse(words);
    return words;
  }

  private static int skipBack(String text, int end, boolean spaces) {
    int offset = end;
    while (offset > 0 && Characters.isSpace(text.charAt(offset - 1)) == spaces) {
      offset--;
    }
    return offset;
  }
}
