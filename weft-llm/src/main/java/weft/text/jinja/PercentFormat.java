package weft.text.jinja;

import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import weft.text.jinja.Value.Listing;
import weft.text.jinja.Value.Markup;
import weft.text.jinja.Value.Numeric;
import weft.text.jinja.Value.Range;
import weft.text.jinja.Value.Real;
import weft.text.jinja.Value.Text;
import weft.text.jinja.Value.Tuple;
import weft.text.jinja.Value.Whole;

/** Python's {@code format % values}. */
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

  private void format() {
    while (at < format.length()) {
      int percent = format.indexOf('%', at);
      if (percent < 0) {
        break;
      }
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
    Value value = Undefined.because("not enough arguments for format string");
    boolean keyed = peek() == '(';
    if (keyed) {
      value = keyed();
    }
    String flags = flags();
    int width = size();
    boolean left = flags.indexOf('-') >= 0 || width < 0;
    width = Math.abs(width);
    int precision = -1;
    if (peek() == '.') {
      at++;
      precision = Math.max(0, size());
    }
    while (peek() == 'h' || peek() == 'l' || peek() == 'L') {
      at++;
    }
    char type = peek();
    at++;
    if (type == '%') {
      out.append("%");
      return;
    }
    if (!keyed) {
      value = next();
    }
    run.budget().text((long) width + Math.max(0, precision));
    String sign = flags.indexOf('+') >= 0 ? "+" : flags.indexOf(' ') >= 0 ? " " : "";
    boolean alternate = flags.indexOf('#') >= 0;
    boolean numeric = "diuxXoeEfFgG".indexOf(type) >= 0;
    String body =
        switch (type) {
          case 's' -> cut(escaping ? Html.escape(run, value) : Printer.str(run, value), precision);
          case 'r' -> cut(escaped(Printer.repr(run, value)), precision);
          case 'a' -> cut(escaped(BraceFormat.ascii(run, Printer.repr(run, value))), precision);
          case 'c' -> character(value);
          case 'd', 'i', 'u' -> signed(run, whole(value, type), precision, sign);
          case 'x', 'X', 'o' -> radix(run, value, type, precision, sign, alternate);
          case 'e', 'E', 'f', 'F', 'g', 'G' ->
              real(value, type, precision < 0 ? 6 : precision, sign, alternate);
          default ->
              throw Failure.runtime(
                  "unsupported format character '" + type + "' at index " + (at - 1));
        };
    int missing = width - Characters.length(body);
    if (missing <= 0) {
      out.append(body);
    } else if (left) {
      out.append(body).appendRepeated(" ", missing);
    } else if (numeric && flags.indexOf('0') >= 0) {
      int prefix = prefixLength(body);
      out.append(body, 0, prefix).appendRepeated("0", missing).append(body, prefix, body.length());
    } else {
      out.appendRepeated(" ", missing).append(body);
    }
  }

  private static int prefixLength(String body) {
    int length = !body.isEmpty() && "+- ".indexOf(body.charAt(0)) >= 0 ? 1 : 0;
    boolean based =
        body.startsWith("0x", length)
            || body.startsWith("0X", length)
            || body.startsWith("0o", length);
    return based ? length + 2 : length;
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

  private String flags() {
    int start = at;
    while ("#0- +".indexOf(peek()) >= 0) {
      at++;
    }
    return format.substring(start, at);
  }

  private int size() {
    if (peek() == '*') {
      at++;
      if (!(next() instanceof Whole whole)) {
        throw Failure.runtime("* wants int");
      }
      return Numbers.index(whole);
    }
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

  private String escaped(String text) {
    return escaping ? Html.escape(run, text) : text;
  }

  private static String cut(String text, int precision) {
    return precision >= 0 && precision < Characters.length(text)
        ? text.substring(0, Characters.offset(text, precision))
        : text;
  }

  private static String character(Value value) {
    if (value instanceof Text text && Characters.length(text.text()) == 1) {
      return text.text();
    }
    if (value instanceof Whole whole && Character.isValidCodePoint(Numbers.index(whole))) {
      return Character.toString(Numbers.index(whole));
    }
    throw Failure.runtime("%c requires int or char");
  }

  private static BigInteger whole(Value value, char type) {
    return switch (value) {
      case Whole whole -> whole.big();
      case Real(double real) -> Numbers.truncate(real).big();
      case Undefined undefined -> throw undefined.failure();
      default ->
          throw Failure.runtime(
              "%" + type + " format: a real number is required, not " + value.typeName());
    };
  }

  private static String signed(Run run, BigInteger value, int precision, String sign) {
    String digits = Printer.digits(value.abs());
    String zeros = TextBuilder.repeated(run, "0", precision - digits.length());
    return (value.signum() < 0 ? "-" : sign) + zeros + digits;
  }

  private static String radix(
      Run run, Value value, char type, int precision, String sign, boolean alternate) {
    if (!(value instanceof Whole whole)) {
      throw Failure.runtime(
          "%" + type + " format: an integer is required, not " + value.typeName());
    }
    String digits = whole.big().abs().toString(type == 'o' ? 8 : 16);
    digits = TextBuilder.repeated(run, "0", precision - digits.length()) + digits;
    String prefix = alternate ? "0" + type : "";
    return (whole.big().signum() < 0 ? "-" : sign)
        + prefix
        + (type == 'X' ? digits.toUpperCase(Locale.ROOT) : digits);
  }

  private static String real(
      Value value, char type, int precision, String sign, boolean alternate) {
    double real =
        switch (value) {
          case Numeric number -> Numbers.real(number);
          case Undefined undefined -> throw undefined.failure();
          default -> throw Failure.runtime("must be real number, not " + value.typeName());
        };
    boolean negative = real < 0 || real == 0 && 1 / real < 0;
    double magnitude = Math.abs(real);
    String digits =
        Double.isNaN(real)
            ? "nan"
            : Double.isInfinite(real)
                ? "inf"
                : switch (type) {
                  case 'e', 'E' -> RealText.exponential(magnitude, precision);
                  case 'f', 'F' -> RealText.fixed(magnitude, precision);
                  default -> RealText.general(magnitude, precision, alternate);
                };
    String shown = alternate ? RealText.withPoint(digits) : digits;
    return (negative ? "-" : sign)
        + (Character.isUpperCase(type) ? shown.toUpperCase(Locale.ROOT) : shown);
  }

  /** {@code format % arguments}, as the format filter does it. */
  static Text filter(Run run, Text format, Arguments arguments) {
    if (!arguments.keywords().isEmpty()) {
      if (!arguments.positional().isEmpty()) {
        throw Failure.runtime("can't handle positional and keyword arguments at the same time");
      }
      Dict named = new Dict(run);
      arguments.keywords().forEach(named::put);
      return format(run, format, named);
    }
    return format(run, format, new Tuple(arguments.positional()));
  }
}
