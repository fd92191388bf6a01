package weft.text.jinja;

import java.math.BigInteger;
import weft.text.jinja.Value.Numeric;
import weft.text.jinja.Value.Real;
import weft.text.jinja.Value.Text;
import weft.text.jinja.Value.Whole;

/**
 * How a value is laid out as text: the part of Python's format specification that {@code %} and
 * {@code str.format} share, {@code [align][sign][0][width][,][.precision][type]}. What is left out
 * is {@link #NONE} or {@link #ABSENT}.
 */
record FormatSpec(
    char align, char sign, boolean zeros, int width, boolean grouped, int precision, char type) {
  static final char NONE = '\0';
  static final int ABSENT = -1;

  /** What C's and Python's {@code f} shows behind the point unless told. */
  private static final int PLACES = 6;

  private static final int GROUP = 3;

  static FormatSpec parse(String spec) {
    return new Reader(spec).read();
  }

  /** Reads a specification from left to right. */
  private static final class Reader {
    private final String spec;
    private int at;

    private Reader(String spec) {
      this.spec = spec;
    }

    private FormatSpec read() {
      char align = take("<>^");
      char sign = take("+- ");
      boolean zeros = take("0") != NONE;
      int width = number();
      boolean grouped = take(",") != NONE;
      int precision = take(".") == NONE ? ABSENT : number();
      char type = take("sdxf%");
      if (at < spec.length() || spec.endsWith(".")) {
        throw Failure.runtime(
            "Invalid format specifier '%s': templates have [align][sign][0][width][,][.precision] and s, d, x, f or %%"
                .formatted(spec));
      }
      return new FormatSpec(align, sign, zeros, width, grouped, precision, type);
    }

    private char take(String choices) {
      return at < spec.length() && choices.indexOf(spec.charAt(at)) >= 0 ? spec.charAt(at++) : NONE;
    }

    private int number() {
      int start = at;
      while (at < spec.length() && spec.charAt(at) >= '0' && spec.charAt(at) <= '9') {
        at++;
      }
      return at > start ? size(spec.substring(start, at)) : ABSENT;
    }
  }

  static int size(String digits) {
    if (digits.length() > 9) {
      throw Failure.runtime("Too many decimal digits in format string");
    }
    return Integer.parseInt(digits);
  }

  /** Python's {@code format(value, spec)}. */
  static String format(Run run, Value value, String spec) {
    if (spec.isEmpty()) {
      return Printer.str(run, value);
    }
    return switch (value) {
      case Text text -> parse(spec).text(run, text.text());
      case Real real -> parse(spec).number(run, real);
      case Whole whole -> parse(spec).number(run, whole);
      default ->
          throw Failure.runtime(
              "unsupported format string passed to " + value.typeName() + ".__format__");
    };
  }

  String text(Run run, String text) {
    if (type != NONE && type != 's' || sign != NONE || grouped) {
      throw unsuited("str");
    }
    boolean cut = precision != ABSENT && precision < Characters.length(text);
    return padded(run, "", cut ? text.substring(0, Characters.offset(text, precision)) : text, '<');
  }

  String number(Run run, Numeric number) {
    run.budget().text((long) Math.max(precision, 0));
    boolean whole = number instanceof Whole && type != 'f' && type != '%';
    if (type == 's' || whole && precision != ABSENT || !whole && (type == 'd' || type == 'x')) {
      throw unsuited(number.typeName());
    }
    return whole ? whole(run, ((Whole) number).big()) : real(run, Numbers.real(number));
  }

  private String whole(Run run, BigInteger value) {
    BigInteger magnitude = value.abs();
    String digits = type == 'x' ? magnitude.toString(16) : Printer.digits(magnitude);
    return padded(run, sign(value.signum() < 0), grouped(run, digits), '>');
  }

  private String real(Run run, double value) {
    if (type == NONE && precision != ABSENT) {
      throw unsuited("float");
    }
    boolean negative = value < 0 || value == 0 && 1 / value < 0;
    double magnitude = Math.abs(type == '%' ? value * 100 : value);
    int places = precision == ABSENT ? PLACES : precision;
    String digits =
        type == NONE || Double.isNaN(value) || Double.isInfinite(magnitude)
            ? RealText.repr(magnitude)
            : RealText.fixed(magnitude, places);
    int point = digits.indexOf('.') < 0 ? digits.length() : digits.indexOf('.');
    return padded(
        run,
        sign(negative),
        grouped(run, digits.substring(0, point))
            + digits.substring(point)
            + (type == '%' ? "%" : ""),
        '>');
  }

  private String sign(boolean negative) {
    return negative ? "-" : sign == '+' || sign == ' ' ? String.valueOf(sign) : "";
  }

  private String grouped(Run run, String digits) {
    if (!grouped) {
      return digits;
    }
    TextBuilder result = new TextBuilder(run);
    for (int at = 0; at < digits.length(); at++) {
      if (at > 0 && (digits.length() - at) % GROUP == 0) {
        result.append(',');
      }
      result.append(digits.charAt(at));
    }
    return result.toString();
  }

  private String padded(Run run, String prefix, String body, char usual) {
    int missing = width - Characters.length(prefix) - Characters.length(body);
    if (missing <= 0) {
      return prefix + body;
    }
    TextBuilder result = new TextBuilder(run);
    if (zeros && align == NONE && usual == '>') {
      return result.append(prefix).appendRepeated("0", missing).append(body).toString();
    }
    int left =
        switch (align == NONE ? usual : align) {
          case '<' -> 0;
          case '^' -> missing / 2;
          default -> missing;
        };
    return result
        .appendRepeated(" ", left)
        .append(prefix)
        .append(body)
        .appendRepeated(" ", missing - left)
        .toString();
  }

  private Failure unsuited(String of) {
    String code = type == NONE ? "" : " '" + type + "'";
    return Failure.runtime("the format" + code + " does not suit a value of type '" + of + "'");
  }
}
