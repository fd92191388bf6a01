package weft.text.jinja;

import static java.util.Map.entry;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import weft.text.jinja.Arguments.Bound;
import weft.text.jinja.Value.Markup;
import weft.text.jinja.Value.None;
import weft.text.jinja.Value.Text;

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
          entry("replace", TextFilters::replace),
          entry("join", TextFilters::join),
          entry(
              "format",
              (run, self, arguments) -> PercentFormat.filter(run, soft(run, self), arguments)),
          entry("escape", TextFilters::escape),
          entry("e", TextFilters::escape),
          entry("safe", TextFilters::safe),
          entry("indent", TextFilters::indent));

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

  private static Value safe(Run run, Value self, Arguments arguments) {
    arguments.bind("safe");
    return new Markup(Printer.str(run, self));
  }

  private static Value indent(Run run, Value self, Arguments arguments) {
    Bound bound = arguments.bind("indent", "width", "first", "blank");
    Text text =
        switch (self) {
          case Text given -> given;
          case Undefined undefined -> throw undefined.failure();
          default -> throw Failure.runtime("indent needs a string, not " + self.typeName());
        };
    String indention = bound.optional(0).map(width -> indention(run, text, width)).orElse("    ");
    boolean blank = bound.truth(2, false);
    TextBuilder result = new TextBuilder(run);
    if (bound.truth(1, false)) {
      result.append(indention);
    }
    List<String> lines = Characters.lines(run, text.text() + "\n", false);
    for (int i = 0; i < lines.size(); i++) {
      if (i > 0) {
        result.append("\n").append(blank || !lines.get(i).isEmpty() ? indention : "");
      }
      result.append(lines.get(i));
    }
    return text.like(result.toString());
  }

  private static String indention(Run run, Text like, Value width) {
    if (width instanceof Text string) {
      return like instanceof Markup ? Html.escape(run, string) : string.text();
    }
    return TextBuilder.repeated(run, " ", Numbers.index(width));
  }
}
