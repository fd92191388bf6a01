package weft.text.jinja;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import weft.text.jinja.Arguments.Bound;
import weft.text.jinja.Value.Text;

/** Filters that lay text out in lines: indent, truncate and wordwrap. */
final class WrapFilters {
  /** A text is only truncated when it is longer than asked by more than this. */
  private static final int LEEWAY = 5;

  static final Map<String, Builtin> ALL =
      Map.of(
          "indent",
          WrapFilters::indent,
          "truncate",
          WrapFilters::truncate,
          "wordwrap",
          WrapFilters::wordWrap);

  private WrapFilters() {}

  private static Text text(String filter, Value self) {
    return switch (self) {
      case Text text -> text;
      case Undefined undefined -> throw undefined.failure();
      default -> throw Failure.runtime(filter + " needs a string, not " + self.typeName());
    };
  }

  private static Value indent(Run run, Value self, Arguments arguments) {
    Bound bound = arguments.bind("indent", "width", "first", "blank");
    Text text = text("indent", self);
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
      return like instanceof Value.Markup ? Html.escape(run, string) : string.text();
    }
    return TextBuilder.repeated(run, " ", Numbers.index(width));
  }

  private static Value truncate(Run run, Value self, Arguments arguments) {
    Bound bound = arguments.bind("truncate", "length", "killwords", "end", "leeway");
    int length = bound.integer(0, 255);
    String end = bound.text(2, "...");
    int leeway = bound.given(3).map(Numbers::index).orElse(LEEWAY);
    long kept = (long) length - Characters.length(end);
    if (kept < 0 || leeway < 0) {
      throw Failure.runtime(
          "truncate needs a length of at least its end's and a leeway of at least 0");
    }
    // Anything with a length may pass, but only text can be cut.
    if (Iteration.length(run, self).orElse(Integer.MAX_VALUE) <= (long) length + leeway) {
      return self;
    }
    Text text = text("truncate", self);
    run.budget().text((long) length);
    String start = text.text().substring(0, Characters.offset(text.text(), (int) kept));
    int space = start.lastIndexOf(' ');
    boolean whole = bound.truth(1, false) || space < 0;
    return text.like((whole ? start : start.substring(0, space)) + end);
  }

  private static Value wordWrap(Run run, Value self, Arguments arguments) {
    Bound bound =
        arguments.bind("wordwrap", "width", "break_long_words", "wrapstring", "break_on_hyphens");
    Text text = text("wordwrap", self);
    int width = bound.integer(0, 79);
    if (width <= 0) {
      throw Failure.runtime("invalid width " + width + " (must be > 0)");
    }
    String separator = bound.given(2).isPresent() ? bound.text(2) : "\n";
    WordWrap wrap = new WordWrap(run, width, bound.truth(1, true), bound.truth(3, true));
    List<String> paragraphs = new ArrayList<>();
    for (String line : Characters.lines(run, text.text(), false)) {
      paragraphs.add(TextBuilder.joined(run, wrap.lines(line), separator));
    }
    return Value.text(TextBuilder.joined(run, paragraphs, separator));
  }
}
