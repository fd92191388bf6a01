package weft.text.jinja;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Floats as Python prints them. */
final class RealText {
  /** No float has more digits behind the point than this; further ones are zeros. */
  private static final int MAX_DIGITS = 1100;

  private RealText() {}

  /** The shortest digits that read back as the same float. */
  static String repr(double value) {
    if (Double.isNaN(value)) {
      return "nan";
    }
    if (Double.isInfinite(value)) {
      return value < 0 ? "-inf" : "inf";
    }
    if (value == 0) {
      return 1 / value < 0 ? "-0.0" : "0.0";
    }
    BigDecimal shortest = shortest(Math.abs(value));
    String digits = shortest.unscaledValue().toString();
    int exponent = digits.length() - 1 - shortest.scale();
    String sign = value < 0 ? "-" : "";
    if (exponent < -4 || exponent >= 16) {
      return sign + scientific(digits, exponent, 'e');
    }
    String plain = shortest.toPlainString();
    return sign + (plain.indexOf('.') < 0 ? plain + ".0" : plain);
  }

  /** Java's shortest digits are at least two; for the smallest numbers one may do. */
  private static BigDecimal shortest(double magnitude) {
    BigDecimal digits = new BigDecimal(Double.toString(magnitude)).stripTrailingZeros();
    BigDecimal one = digits.round(new MathContext(1, RoundingMode.HALF_EVEN));
    return digits.precision() == 2 && one.doubleValue() == magnitude ? one : digits;
  }

  /** The flag {@code #}: a decimal point even where no digit follows it. */
  static String withPoint(String digits) {
    if (digits.indexOf('.') >= 0 || !Character.isDigit(digits.charAt(0))) {
      return digits;
    }
    int end = 0;
    while (end < digits.length() && Character.isDigit(digits.charAt(end))) {
      end++;
    }
    return digits.substring(0, end) + "." + digits.substring(end);
  }

  private static String scientific(String digits, int exponent, char letter) {
    String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
    return digits.charAt(0) + fraction + letter + exponent(exponent);
  }

  private static String exponent(int exponent) {
    return (exponent < 0 ? "-" : "+") + (Math.abs(exponent) < 10 ? "0" : "") + Math.abs(exponent);
  }

  /** C's {@code %f} of a finite value without its sign. */
  static String fixed(double magnitude, int precision) {
    int digits = Math.min(precision, MAX_DIGITS);
    String exact =
        new BigDecimal(magnitude).setScale(digits, RoundingMode.HALF_EVEN).toPlainString();
    return exact + "0".repeat(precision - digits);
  }

  /** C's {@code %e} of a finite value without its sign. */
  static String exponential(double magnitude, int precision) {
    if (magnitude == 0) {
      return (precision > 0 ? "0." + "0".repeat(precision) : "0") + "e+00";
    }
    BigDecimal rounded = round(magnitude, precision + 1);
    String digits = padded(rounded, precision + 1);
    return scientific(digits, exponentOf(rounded), 'e');
  }

  /** C's {@code %g} of a finite value without its sign; {@code keepZeros} is the flag {@code #}. */
  static String general(double magnitude, int precision, boolean keepZeros) {
    int digits = Math.max(1, precision);
    String text = general(magnitude, digits, digits);
    return keepZeros ? text : stripFraction(text);
  }

  /**
   * Python's format without a type: it keeps a fraction and turns to an exponent one digit before
   * {@code %g} does.
   */
  static String untyped(double magnitude, int precision, boolean keepZeros) {
    int digits = Math.max(1, precision);
    String all = general(magnitude, digits, digits - 1);
    String text = keepZeros ? all : stripFraction(all);
    return text.indexOf('e') < 0 && text.indexOf('.') < 0 ? text + ".0" : text;
  }

  private static String general(double magnitude, int digits, int firstExponent) {
    BigDecimal rounded = round(magnitude, digits);
    int exponent = magnitude == 0 ? 0 : exponentOf(rounded);
    if (exponent < -4 || exponent >= firstExponent) {
      return scientific(padded(rounded, digits), exponent, 'e');
    }
    int places = Math.min(digits - 1 - exponent, MAX_DIGITS);
    String exact = rounded.setScale(places, RoundingMode.UNNECESSARY).toPlainString();
    return exact + "0".repeat(digits - 1 - exponent - places);
  }

  private static String stripFraction(String text) {
    int end = text.indexOf('e') < 0 ? text.length() : text.indexOf('e');
    String mantissa = text.substring(0, end);
    if (mantissa.indexOf('.') >= 0) {
      mantissa = stripZeros(mantissa);
      mantissa = mantissa.endsWith(".") ? mantissa.substring(0, mantissa.length() - 1) : mantissa;
    }
    return mantissa + text.substring(end);
  }

  private static BigDecimal round(double magnitude, int digits) {
    return new BigDecimal(magnitude).round(new MathContext(digits, RoundingMode.HALF_EVEN));
  }

  private static int exponentOf(BigDecimal value) {
    return value.precision() - 1 - value.scale();
  }

  private static String padded(BigDecimal value, int digits) {
    String text = value.unscaledValue().toString();
    return text.length() >= digits
        ? text.substring(0, digits)
        : text + "0".repeat(digits - text.length());
  }

  private static String stripZeros(String digits) {
    int end = digits.length();
    while (end > 1 && digits.charAt(end - 1) == '0') {
      end--;
    }
    return digits.substring(0, end);
  }
}
