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
      return sign + scientific(digits, exponent);
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

  private static String scientific(String digits, int exponent) {
    String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
    return digits.charAt(0) + fraction + 'e' + exponent(exponent);
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
}
