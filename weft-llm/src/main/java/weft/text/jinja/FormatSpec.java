package weft.text.jinja;

import java.math.BigInteger;
import java.util.Locale;
import weft.text.jinja.Value.Bool;
import weft.text.jinja.Value.Numeric;
import weft.text.jinja.Value.Real;
import weft.text.jinja.Value.Text;
import weft.text.jinja.Value.Whole;

/**
 * Python's format specification, {@code
 * [[fill]align][sign][z][#][0][width][grouping][.precision][type]}, and its use. What is left out
 * is {@link #NONE} or {@link #ABSENT}.
 */
record FormatSpec(
    String fill,
    char align,
    char sign,
    boolean positiveZero,
    boolean alternate,
    boolean zeroPadded,
    int width,
    char grouping,
    int precision,
    char type) {
  private static final char NONE = '\0';
  private static final int ABSENT = -1;

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
      int second = spec.isEmpty() ? 0 : spec.offsetByCodePoints(0, 1);
      boolean filled = second > 0 && second < spec.length() && isAlign(spec.charAt(second));
      String fill = filled ? spec.substring(0, second) : " ";
      at = filled ? second : 0;
      char align = take("<>=^");
      char sign = take("+- ");
      boolean positiveZero = take("z") != NONE;
      boolean alternate = take("#") != NONE;
      boolean zeroPadded = !filled && take("0") != NONE;
      int width = number();
      char grouping = take(",_");
      int precision = ABSENT;
      if (take(".") != NONE) {
        precision = number();
        if (precision == ABSENT) {
          throw Failure.runtime("Format specifier missing precision");
        }
      }
      char type = at < spec.length() ? spec.charAt(at++) : NONE;
      if (at < spec.length()) {
        throw Failure.runtime("Invalid format specifier '" + spec + "'");
      }
      return new FormatSpec(
          zeroPadded ? "0" : fill,
          align,
          sign,
          positiveZero,
          alternate,
          zeroPadded,
          width,
          grouping,
          precision,
          type);
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

  private static boolean isAlign(char c) {
    return c == '<' || c == '>' || c == '=' || c == '^';
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
      case Numeric number -> parse(spec).number(run, number);
      default ->
          throw Failure.runtime(
              "unsupported format string passed to " + value.typeName() + ".__format__");
    };
  }

  private String text(Run run, String text) {
    if (type != NONE && type != 's') {
      throw unknownType("str");
    }
    if (sign != NONE || alternate || grouping != NONE || align == '=') {
      throw Failure.runtime("Sign, '#', ',' and '=' are not allowed in a string format specifier");
    }
    String shown = text;
    if (precision != ABSENT && precision < Characters.length(text)) {
      shown = text.substring(0, Characters.offset(text, precision));
    }
    return padded(run, "", shown, '<');
  }

  private String number(Run run, Numeric number) {
    run.budget().text((long) Math.max(precision, 0));
    if (grouping != NONE
        && ("nc".indexOf(type) >= 0 || grouping == ',' && "boxX".indexOf(type) >= 0)) {
      throw Failure.runtime("Cannot specify '" + grouping + "' with '" + type + "'.");
    }
    return switch (type) {
      case 'e', 'E', 'f', 'F', 'g', 'G', '%' -> real(run, Numbers.real(number));
      case NONE, 'n' ->
          number instanceof Real(double real) ? real(run, real) : whole(run, (Whole) number, 10);
      case 'd', 'b', 'o', 'x', 'X', 'c' -> {
        if (number instanceof Real) {
          throw unknownType("float");
        }
        yield type == 'c' ? character(run, (Whole) number) : whole(run, (Whole) number, radix());
      }
      default -> throw unknownType(number instanceof Bool ? "int" : number.typeName());
    };
  }

  private int radix() {
    return switch (type) {
      case 'b' -> 2;
      case 'o' -> 8;
      case 'x', 'X' -> 16;
      default -> 10;
    };
  }

  private String character(Run run, Whole number) {
    if (sign != NONE || alternate || precision != ABSENT) {
      throw Failure.runtime(
          "Sign, '#' and precision are not allowed with integer format specifier 'c'");
    }
    int c = Numbers.index(number);
    if (!Character.isValidCodePoint(c)) {
      throw Failure.runtime("%c arg not in range(0x110000)");
    }
    return padded(run, "", Character.toString(c), '<');
  }

  private String whole(Run run, Whole number, int radix) {
    if (precision != ABSENT) {
      throw Failure.runtime("Precision not allowed in integer format specifier");
    }
    BigInteger magnitude = number.big().abs();
    String digits = radix == 10 ? Printer.digits(magnitude) : magnitude.toString(radix);
    String prefix = sign(number.big().signum() < 0) + (alternate && radix != 10 ? "0" + type : "");
    return padded(
        run,
        prefix,
        grouped(run, type == 'X' ? digits.toUpperCase(Locale.ROOT) : digits, radix == 10 ? 3 : 4),
        '>');
  }

  private String real(Run run, double value) {
    boolean negative = value < 0 || value == 0 && 1 / value < 0;
    double magnitude = Math.abs(type == '%' ? value * 100 : value);
    String digits =
        Double.isNaN(value) ? "nan" : Double.isInfinite(magnitude) ? "inf" : finite(magnitude);
    digits += type == '%' ? "%" : "";
    if (alternate) {
      digits = RealText.withPoint(digits);
    }
    if (positiveZero && digits.chars().noneMatch(c -> c >= '1' && c <= '9')) {
      negative = false;
    }
    if (Character.isUpperCase(type)) {
      digits = digits.toUpperCase(Locale.ROOT);
    }
    int point = 0;
    while (point < digits.length() && Character.isDigit(digits.charAt(point))) {
      point++;
    }
    return padded(
        run,
        sign(negative),
        grouped(run, digits.substring(0, point), 3) + digits.substring(point),
        '>');
  }

  private String finite(double magnitude) {
    int places = precision == ABSENT ? 6 : precision;
    return switch (type) {
      case 'e', 'E' -> RealText.exponential(magnitude, places);
      case 'f', 'F', '%' -> RealText.fixed(magnitude, places);
      case 'g', 'G', 'n' -> RealText.general(magnitude, places, alternate);
      default ->
          precision == ABSENT
              ? RealText.repr(magnitude)
              : RealText.untyped(magnitude, precision, alternate);
    };
  }

  private String sign(boolean negative) {
    return negative ? "-" : sign == '+' ? "+" : sign == ' ' ? " " : "";
  }

  private String grouped(Run run, String digits, int size) {
    if (grouping == NONE) {
      return digits;
    }
    TextBuilder result = new TextBuilder(run);
    for (int at = 0; at < digits.length(); at++) {
      if (at > 0 && (digits.length() - at) % size == 0) {
        result.append(grouping);
      }
      result.append(digits.charAt(at));
    }
    return result.toString();
  }

  private String padded(Run run, String prefix, String body, char defaultAlign) {
    int missing = width - Characters.length(prefix) - Characters.length(body);
    if (missing <= 0) {
      return prefix + body;
    }
    TextBuilder result = new TextBuilder(run);
    char implied = zeroPadded && defaultAlign == '>' ? '=' : defaultAlign;
    return switch (align == NONE ? implied : align) {
      case '<' -> result.append(prefix).append(body).appendRepeated(fill, missing).toString();
      case '^' ->
          result
              .appendRepeated(fill, missing / 2)
              .append(prefix)
              .append(body)
              .appendRepeated(fill, missing - missing / 2)
              .toString();
      case '=' -> result.append(prefix).append(zeros(run, body, missing)).append(body).toString();
      default -> result.appendRepeated(fill, missing).append(prefix).append(body).toString();
    };
  }

  /** Zeros that fill a grouped number are grouped too, and may overshoot the width by one. */
  private String zeros(Run run, String body, int missing) {
    if (grouping == NONE || !fill.equals("0")) {
      return TextBuilder.repeated(run, fill, missing);
    }
    int size = radix() == 10 ? 3 : 4;
    int lead = 0;
    while (lead < body.length() && Character.digit(body.charAt(lead), radix()) >= 0) {
      lead++;
    }
    TextBuilder backwards = new TextBuilder(run);
    for (int digits = lead; backwards.length() < missing; digits++) {
      if (digits > 0 && digits % size == 0) {
        backwards.append(grouping);
      }
      backwards.append('0');
    }
    return TextBuilder.reversed(run, backwards.toString());
  }

  private Failure unknownType(String of) {
    return Failure.runtime("Unknown format code '" + type + "' for object of type '" + of + "'");
  }
}
