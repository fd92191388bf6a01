package weft.text.jinja;

import static java.util.Map.entry;

import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import weft.text.jinja.Arguments.Bound;
import weft.text.jinja.Value.Markup;
import weft.text.jinja.Value.None;
import weft.text.jinja.Value.Text;
import weft.text.jinja.Value.View;

/** Filters that make text of a value. */
final class TextFilters {
  static final Map<String, Builtin> ALL =
      Map.ofEntries(
          converting("capitalize", Characters::capitalize),
          converting("lower", Characters::lower),
          converting("upper", Characters::upper),
          converting("title", TextFilters::title),
          entry("string", TextFilters::string),
          entry("trim", TextFilters::trim),
          entry("center", TextFilters::center),
          entry("replace", TextFilters::replace),
          entry("join", TextFilters::join),
          entry(
              "format",
              (run, self, arguments) -> PercentFormat.filter(run, soft(run, self), arguments)),
          entry("escape", TextFilters::escape),
          entry("e", TextFilters::escape),
          entry("forceescape", TextFilters::forceEscape),
          entry("safe", TextFilters::safe),
          entry("striptags", TextFilters::stripTags),
          entry("urlencode", TextFilters::urlEncode),
          entry("xmlattr", TextFilters::xmlAttributes),
          entry("wordcount", TextFilters::wordCount));

  private static final String HEXADECIMAL = "0123456789ABCDEF";

  private TextFilters() {}

  private static Map.Entry<String, Builtin> converting(
      String name, BiFunction<Run, String, String> conversion) {
    return entry(
        name,
        (run, self, arguments) -> {
          arguments.bind(name);
          Text text = soft(run, self);
          return text.like(conversion.apply(run, text.text()));
        });
  }

  /** The value printed, except that text marked safe stays marked. */
  static Text soft(Run run, Value value) {
    return value instanceof Text text ? text : Value.text(Printer.str(run, value));
  }

  /** Words start after spaces, hyphens and opening brackets, unlike those of {@code str.title}. */
  private static String title(Run run, String text) {
    TextBuilder result = new TextBuilder(run);
    boolean start = true;
    int rest = 0;
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      boolean separator = Characters.isSpace(c) || "-({[<".indexOf(c) >= 0;
      int next = i + Character.charCount(c);
      if (start || separator) {
        result.append(Characters.lower(run, text.substring(rest, i)));
        result.append(Characters.upper(run, text.substring(i, next)));
        rest = next;
      }
      start = separator;
      i = next;
    }
    return result.append(Characters.lower(run, text.substring(rest))).toString();
  }

  private static Value string(Run run, Value self, Arguments arguments) {
    arguments.bind("string");
    return soft(run, self);
  }

  private static Value trim(Run run, Value self, Arguments arguments) {
    Bound bound = arguments.bind("trim", "chars");
    Arguments characters = new Arguments(bound.optional(0).stream().toList(), Map.of());
    return StringMethods.strip(run, soft(run, self), characters, true, true);
  }

  private static Value center(Run run, Value self, Arguments arguments) {
    int width = arguments.bind("center", "width").integer(0, 80);
    Text text = soft(run, self);
    return text.like(StringMethods.pad(run, text.text(), width, " ", "center"));
  }

  private static Value replace(Run run, Value self, Arguments arguments) {
    Bound bound = arguments.bind("replace", "old", "new", "count");
    int count = bound.given(2).map(Numbers::index).orElse(-1);
    String old = Printer.str(run, bound.required(0));
    String replacement = Printer.str(run, bound.required(1));
    return Value.text(StringMethods.replace(run, Printer.str(run, self), old, replacement, count));
  }

  private static Value join(Run run, Value self, Arguments arguments) {
    Bound bound = arguments.bind("join", "d", "attribute");
    String separator = bound.optional(0).map(value -> Printer.str(run, value)).orElse("");
    AttributePath path = AttributePath.of(bound.optional(1).orElse(None.NONE));
    TextBuilder result = new TextBuilder(run);
    boolean first = true;
    for (Iterator<Value> items = Iteration.iterate(self); items.hasNext(); first = false) {
      if (!first) {
        result.append(separator);
      }
      result.append(Printer.str(run, path.get(run, items.next())));
    }
    return Value.text(result.toString());
  }

  private static Value escape(Run run, Value self, Arguments arguments) {
    arguments.bind("escape");
    return new Markup(Html.escape(run, self));
  }

  private static Value forceEscape(Run run, Value self, Arguments arguments) {
    arguments.bind("forceescape");
    return new Markup(Html.escape(run, Printer.str(run, self)));
  }

  private static Value safe(Run run, Value self, Arguments arguments) {
    arguments.bind("safe");
    return new Markup(Printer.str(run, self));
  }

  static Value stripTags(Run run, Value self, Arguments arguments) {
    arguments.bind("striptags");
    String text = Printer.str(run, self);
    String bare = without(run, without(run, text, "<!--", "-->"), "<", ">");
    return Value.text(Html.unescape(run, collapsed(run, bare)));
  }

  /** The text without anything from an {@code open} to the next {@code close}. */
  private static String without(Run run, String text, String open, String close) {
    TextBuilder result = new TextBuilder(run);
    int copied = 0;
    int start = text.indexOf(open);
    while (start >= 0) {
      int end = text.indexOf(close, start);
      if (end < 0) {
        break;
      }
      result.append(text, copied, start);
      copied = end + close.length();
      start = text.indexOf(open, copied);
    }
    return result.append(text, copied, text.length()).toString();
  }

  /** The words of a text with one space between them. */
  private static String collapsed(Run run, String text) {
    TextBuilder result = new TextBuilder(run);
    boolean space = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Characters.isSpace(c)) {
        space = true;
      } else {
        result.append(space && result.length() > 0 ? " " : "").append(c);
        space = false;
      }
    }
    return result.toString();
  }

  private static Value urlEncode(Run run, Value self, Arguments arguments) {
    arguments.bind("urlencode");
    if (self instanceof Text || Iteration.tryIterate(self).isEmpty()) {
      return Value.text(quote(run, self, true));
    }
    Iterator<Value> pairs =
        Iteration.iterate(self instanceof Dict dict ? new View(dict, View.Kind.ITEMS) : self);
    TextBuilder result = new TextBuilder(run);
    while (pairs.hasNext()) {
      if (result.length() > 0) {
        result.append("&");
      }
      List<Value> pair = Iteration.list(run, pairs.next());
      if (pair.size() != 2) {
        throw Failure.runtime(
            "urlencode needs pairs of key and value, got " + pair.size() + " items");
      }
      result
          .append(quote(run, pair.get(0), false))
          .append("=")
          .append(quote(run, pair.get(1), false));
    }
    return Value.text(result.toString());
  }

  private static String quote(Run run, Value value, boolean path) {
    TextBuilder result = new TextBuilder(run);
    String text = Printer.str(run, value);
    run.budget().text(2L * text.length());
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      if (c < 0x80 && Character.isLetterOrDigit(c) || "_.-~".indexOf(c) >= 0 || path && c == '/') {
        result.append(c);
      } else if (!path && c == ' ') {
        result.append('+');
      } else {
        result.append('%').append(HEXADECIMAL.charAt(c >> 4)).append(HEXADECIMAL.charAt(c & 15));
      }
    }
    return result.toString();
  }

  private static Value xmlAttributes(Run run, Value self, Arguments arguments) {
    Bound bound = arguments.bind("xmlattr", "autospace");
    if (!(self instanceof Dict dict)) {
      throw self instanceof Undefined undefined
          ? undefined.failure()
          : Failure.runtime("xmlattr needs a mapping, not " + self.typeName());
    }
    TextBuilder result = new TextBuilder(run);
    boolean space = bound.truth(0, true);
    for (Dict.Entry item : dict.entries()) {
      if (item.value() == None.NONE || item.value() instanceof Undefined) {
        continue;
      }
      if (!(item.key() instanceof Text key)
          || key.text().chars().anyMatch(c -> " \t\n\r\f\u000b/>=".indexOf(c) >= 0)) {
        throw Failure.runtime("Invalid character in attribute name: " + Printer.brief(item.key()));
      }
      result.append(space ? " " : "").append(Html.escape(run, item.key())).append("=\"");
      result.append(Html.escape(run, item.value())).append("\"");
      space = true;
    }
    return Value.text(result.toString());
  }

  private static Value wordCount(Run run, Value self, Arguments arguments) {
    arguments.bind("wordcount");
    String text = soft(run, self).text();
    run.budget().scan(text.length());
    int count = 0;
    boolean inside = false;
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      i += Character.charCount(c);
      boolean word = Characters.isWord(c);
      count += word && !inside ? 1 : 0;
      inside = word;
    }
    return Value.number(count);
  }
}
