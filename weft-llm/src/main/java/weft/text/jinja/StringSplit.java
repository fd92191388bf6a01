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
    Text text = (Text) self;
    List<String> parts = parts(run, text.text(), arguments.bind("split", "sep", "maxsplit"), false);
    return StringMethods.listing(run, text, parts);
  }

  /** Splitting from the right is splitting the reversed string, which keeps the search linear. */
  static Listing rsplit(Run run, Value self, Arguments arguments) {
    Text text = (Text) self;
    String backwards = TextBuilder.reversed(run, text.text());
    List<String> parts = parts(run, backwards, arguments.bind("rsplit", "sep", "maxsplit"), true);
    Collections.reverse(parts);
    parts.replaceAll(part -> TextBuilder.reversed(run, part));
    return StringMethods.listing(run, text, parts);
  }

  private static List<String> parts(Run run, String text, Bound bound, boolean reversed) {
    int limit = bound.integer(1, -1);
    int most = limit < 0 ? Integer.MAX_VALUE : limit;
    run.budget().text(text.length());
    if (bound.given(0).isEmpty()) {
      return words(run, text, most);
    }
    String separator = bound.text(0);
    if (separator.isEmpty()) {
      throw Failure.runtime("empty separator");
    }
    return atSeparator(
        run, text, reversed ? TextBuilder.reversed(run, separator) : separator, most);
  }

  static Listing splitLines(Run run, Value self, Arguments arguments) {
    Bound bound = arguments.bind("splitlines", "keepends");
    Text text = (Text) self;
    run.budget().text(text.text().length());
    List<String> lines = Characters.lines(run, text.text(), bound.truth(0, false));
    return StringMethods.listing(run, text, lines);
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
}
