package weft.text.jinja;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Optional;
import weft.text.jinja.Value.BigInt;
import weft.text.jinja.Value.Bool;
import weft.text.jinja.Value.Int;
import weft.text.jinja.Value.Numeric;
import weft.text.jinja.Value.Real;
import weft.text.jinja.Value.Text;
import weft.text.jinja.Value.Whole;

/** Python's numbers: conversion, comparison and rounding. */
final class Numbers {
  /** Python refuses to read or print longer whole numbers in decimal. */
  static final int MAX_DIGITS = 4300;

  private Numbers() {}

  /** The value as a position or count, clamped to 32 bits as Python clamps a slice. */
  static int index(Value value) {
    return switch (value) {
      case Int(long whole) -> Math.clamp(whole, Integer.MIN_VALUE + 1, Integer.MAX_VALUE);
      case Bool bool -> bool.ordinal();
      case BigInt(BigInteger big) -> big.signum() < 0 ? Integer.MIN_VALUE + 1 : Integer.MAX_VALUE;
      case Undefined undefined -> throw undefined.failure();
      default ->
          throw Failure.runtime(
              "'" + value.typeName() + "' object cannot be interpreted as an integer");
    };
  }

  static double real(Numeric number) {
    return switch (number) {
      case Int(long whole) -> whole;
      case Bool bool -> bool.ordinal();
      case Real(double value) -> value;
      case BigInt(BigInteger big) -> {
        double value = big.doubleValue();
        if (Double.isInfinite(value)) {
          throw Failure.runtime("int too large to convert to float");
        }
        yield value;
      }
    };
  }

  /** The number without its fraction. */
  static Whole truncate(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      throw Failure.runtime(
          "cannot convert float " + (Double.isNaN(value) ? "NaN" : "infinity") + " to integer");
    }
    long whole = (long) value;
    return Math.abs(value) < 0x1p62
        ? new Int(whole)
        : Value.number(new BigDecimal(value).toBigInteger());
  }

  static boolean isNaN(Numeric number) {
    return number instanceof Real(double value) && Double.isNaN(value);
  }

  /** Exact comparison, also between whole numbers and floats; neither may be NaN. */
  static int compare(Numeric left, Numeric right) {
    if (left instanceof Int(long a) && right instanceof Int(long b)) {
      return Long.compare(a, b);
    }
    if (left instanceof Real(double a) && right instanceof Real(double b)) {
      return a < b ? -1 : a > b ? 1 : 0;
    }
    if (left instanceof Real(double a) && Double.isInfinite(a)) {
      return a < 0 ? -1 : 1;
    }
    if (right instanceof Real(double b) && Double.isInfinite(b)) {
      return b < 0 ? 1 : -1;
    }
    return decimal(left).compareTo(decimal(right));
  }

  private static BigDecimal decimal(Numeric number) {
    return switch (number) {
      case Real(double value) -> new BigDecimal(value);
      case Whole whole -> new BigDecimal(whole.big());
    };
  }

  /** Python's {@code int(text)}; empty when the text is no whole number. */
  static Optional<Whole> parseWhole(Run run, String text) {
    String digits = plain(run, text);
    String unsigned = unsigned(digits);
    if (unsigned.isEmpty()
        || unsigned.length() > MAX_DIGITS
        || !unsigned.chars().allMatch(c -> isDigit((char) c))) {
      return Optional.empty();
    }
    BigInteger value = new BigInteger(unsigned);
    return Optional.of(Value.number(digits.startsWith("-") ? value.negate() : value));
  }

  /** A number's text in ASCII digits without what separates them. */
  private static String plain(Run run, String text) {
    return withoutUnderscores(run, asciiDigits(run, Characters.strip(text)));
  }

  private static String unsigned(String digits) {
    return digits.startsWith("-") || digits.startsWith("+") ? digits.substring(1) : digits;
  }

  /** Python's {@code float(text)}; empty when the text is no number. */
  static Optional<Double> parseReal(Run run, String text) {
    String digits = plain(run, text);
    String unsigned = unsigned(digits);
    double sign = digits.startsWith("-") ? -1 : 1;
    switch (Characters.lower(run, unsigned)) {
      case "inf", "infinity" -> {
        return Optional.of(sign * Double.POSITIVE_INFINITY);
      }
      case "nan" -> {
        return Optional.of(Double.NaN);
      }
      default -> {}
    }
    // Java also reads suffixes and hexadecimal floats; Python does neither.
    return isDecimal(unsigned)
        ? Optional.of(sign * Double.parseDouble(unsigned))
        : Optional.empty();
  }

  /**
   * Python allows single underscores between digits; any other stays and makes the text no number.
   */
  private static String withoutUnderscores(Run run, String text) {
    TextBuilder result = new TextBuilder(run);
    for (int i = 0; i < text.length(); i++) {
      boolean between =
          i > 0
              && i + 1 < text.length()
              && isDigit(text.charAt(i - 1))
              && isDigit(text.charAt(i + 1));
      if (text.charAt(i) != '_' || !between) {
        result.append(text.charAt(i));
      }
    }
    return result.toString();
  }

  /** Python reads the decimal digits of every script. */
  private static String asciiDigits(Run run, String text) {
    TextBuilder result = new TextBuilder(run);
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      result.appendCodePoint(Characters.isDecimal(c) ? '0' + Character.digit(c, 10) : c);
      i += Character.charCount(c);
    }
    return result.toString();
  }

  private static boolean isDecimal(String text) {
    int at = 0;
    int digits = 0;
    while (at < text.length() && isDigit(text.charAt(at))) {
      at++;
      digits++;
    }
    if (at < text.length() && text.charAt(at) == '.') {
      at++;
      while (at < text.length() && isDigit(text.charAt(at))) {
        at++;
        digits++;
      }
    }
    if (digits == 0) {
      return false;
    }
    if (at < text.length() && (text.charAt(at) | 0x20) == 'e') {
      at++;
      if (at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '+')) {
        at++;
      }
      int start = at;
      while (at < text.length() && isDigit(text.charAt(at))) {
        at++;
      }
      return at > start && at == text.length();
    }
    return at == text.length();
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** Python's {@code int(value)} for anything but strings. */
  static Optional<Whole> whole(Value value) {
    return switch (value) {
      case Bool bool -> Optional.of(new Int(bool.ordinal()));
      case Whole whole -> Optional.of(whole);
      case Real(double real) -> Optional.of(truncate(real));
      case Undefined undefined -> throw undefined.failure();
      default -> Optional.empty();
    };
  }

  /** Python's {@code float(value)}; empty when it would be a TypeError or ValueError. */
  static Optional<Double> realOf(Run run, Value value) {
    return switch (value) {
      case Numeric number -> Optional.of(real(number));
      case Text text -> parseReal(run, text.text());
      case Undefined undefined -> throw undefined.failure();
      default -> Optional.empty();
    };
  }

  /**
   * Python's {@code round(value, digits)}: halves go to the even neighbour, on the exact binary
   * value.
   */
  static Numeric round(Numeric number, int digits) {
    return switch (number) {
      case Real(double value)
          when Double.isNaN(value) || Double.isInfinite(value) || digits > 400 ->
          number;
      case Real(double value) when digits < -400 -> new Real(Math.copySign(0, value));
      case Real(double value) -> {
        double rounded =
            new BigDecimal(value).setScale(digits, RoundingMode.HALF_EVEN).doubleValue();
        yield new Real(Math.copySign(rounded, value));
      }
      case Whole whole when digits >= 0 -> Value.number(whole.big());
      case Whole whole when digits < -MAX_DIGITS -> new Int(0);
      case Whole whole ->
          Value.number(
              new BigDecimal(whole.big()).setScale(digits, RoundingMode.HALF_EVEN).toBigInteger());
    };
  }
}
