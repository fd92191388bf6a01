package weft.text.jinja;

import java.util.List;
import weft.text.jinja.Value.Listing;
import weft.text.jinja.Value.Markup;
import weft.text.jinja.Value.Numeric;
import weft.text.jinja.Value.Range;
import weft.text.jinja.Value.Real;
import weft.text.jinja.Value.Text;
import weft.text.jinja.Value.Tuple;
import weft.text.jinja.Value.Whole;

/** Python's {@code format % values} with the conversions s, r, d, i, x and f. */
final class PercentFormat {
  private final Run run;
  private final String format;
  private final boolean escaping;
  private final Value values;
  private final List<Value> positional;
  private final TextBuilder out;
  private int at;
  private int used;

  private PercentFormat(Run run, Text format, Value values) {
    this.run = run;
    this.format = format.text();
    this.escaping = format instanceof Markup;
    this.values = values;
    this.positional = values instanceof Tuple tuple ? tuple.items() : List.of(values);
    this.out = new TextBuilder(run);
  }

  static Text format(Run run, Text format, Value values) {
    PercentFormat job = new PercentFormat(run, format, values);
    job.format();
    return format.like(job.out.toString());
  }

  /** {@code format % arguments}, as the format filter does it. */
  static Text filter(Run run, Text format, Arguments arguments) {
    if (arguments.keywords().isEmpty()) {
      return format(run, format, new Tuple(arguments.positional()));
    }
    if (!arguments.positional().isEmpty()) {
      throw Failure.runtime("can't handle positional and keyword arguments at the same time");
    }
    Dict named = new Dict(run);
    arguments.keywords().forEach(named::put);
    return format(run, format, named);
  }

  private void format() {
    for (int percent = format.indexOf('%'); percent >= 0; percent = format.indexOf('%', at)) {
      out.append(format, at, percent);
      at = percent + 1;
      directive();
    }
    out.append(format, at, format.length());
    // Python does not miss an argument that could have been a mapping.
    boolean mapping =
        values instanceof Dict
            || values instanceof Listing
            || values instanceof Range
            || values instanceof Undefined;
    if (used < positional.size() && !mapping) {
      throw Failure.runtime("not all arguments converted during string formatting");
    }
  }

  private void directive() {
    List<Value> keyed = peek() == '(' ? List.of(keyed()) : List.of();
    int start = at;
    while ("0- +".indexOf(peek()) >= 0) {
      at++;
    }
    String flags = format.substring(start, at);
    int width = size();
    int precision = FormatSpec.ABSENT;
    if (peek() == '.') {
      at++;
      precision = size();
    }
    char type = peek();
    at++;
    if (type == '%') {
      out.append("%");
      return;
    }
    if ("srdixf".indexOf(type) < 0) {
      throw Failure.runtime("unsupported format character '" + type + "' at index " + (at - 1));
    }
    char sign = flags.indexOf('+') >= 0 ? '+' : flags.indexOf(' ') >= 0 ? ' ' : FormatSpec.NONE;
    char align = flags.indexOf('-') >= 0 ? '<' : FormatSpec.NONE;
    boolean zeros = flags.indexOf('0') >= 0;
    Value value = keyed.isEmpty() ? next() : keyed.getFirst();
    out.append(
        switch (type) {
          case 's', 'r' ->
              new FormatSpec(
                      align == '<' ? '<' : '>',
                      FormatSpec.NONE,
                      false,
                      width,
                      false,
                      precision,
                      's')
                  .text(run, shown(value, type));
          case 'f' ->
              new FormatSpec(align, sign, zeros, width, false, precision, 'f')
                  .number(run, number(value, type));
          default ->
              new FormatSpec(align, sign, zeros, width, false, precision, type == 'x' ? 'x' : 'd')
                  .number(run, whole(value, type));
        });
  }

  private char peek() {
    if (at >= format.length()) {
      throw Failure.runtime("incomplete format");
    }
    return format.charAt(at);
  }

  private Value keyed() {
    int start = ++at;
    for (int open = 1; open > 0; at++) {
      char c = peek();
      open += c == '(' ? 1 : c == ')' ? -1 : 0;
    }
    String key = format.substring(start, at - 1);
    if (!(values instanceof Dict dict)) {
      throw Failure.runtime("format requires a mapping");
    }
    used = positional.size();
    return dict.get(key)
        .orElseThrow(
            () -> Failure.runtime("the format has no value for key " + Printer.brief(key)));
  }

  private int size() {
    int start = at;
    while (Character.digit(peek(), 10) >= 0) {
      at++;
    }
    return start == at ? 0 : FormatSpec.size(format.substring(start, at));
  }

  private Value next() {
    if (used >= positional.size()) {
      throw Failure.runtime("not enough arguments for format string");
    }
    return positional.get(used++);
  }

  private String shown(Value value, char type) {
    if (type == 'r') {
      String repr = Printer.repr(run, value);
      return escaping ? Html.escape(run, repr) : repr;
    }
    return escaping ? Html.escape(run, value) : Printer.str(run, value);
  }

  private static Numeric number(Value value, char type) {
    return switch (value) {
      case Numeric number -> number;
      case Undefined undefined -> throw undefined.failure();
      default ->
          throw Failure.runtime(
              "%" + type + " format: a real number is required, not " + value.typeName());
    };
  }

  private static Whole whole(Value value, char type) {
    return switch (number(value, type)) {
      case Whole whole -> whole;
      case Real(double real) when type != 'x' -> Numbers.truncate(real);
      case Real real -> throw Failure.runtime("%x format: an integer is required, not float");
    };
  }
}
