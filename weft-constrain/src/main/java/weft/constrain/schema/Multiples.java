package weft.constrain.schema;

import static weft.constrain.Regex.anyOf;
import static weft.constrain.Regex.sequence;
import static weft.constrain.Regex.text;
import static weft.constrain.schema.NumberSpelling.DIGIT;
import static weft.constrain.schema.NumberSpelling.DIGITS;
import static weft.constrain.schema.NumberSpelling.INTEGER;
import static weft.constrain.schema.NumberSpelling.NONZERO;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import weft.constrain.Regex;

/**
 * How multiples of a step are written: by their last digits where the step divides a power of ten,
 * by the remainder of all digits where its other factors are small, and otherwise one by one, if
 * there are few of them between the edges.
 */
final class Multiples {
  /** Ends longer than this many digits are not listed one by one. */
  private static final int LISTED_DIGITS = 3;

  private static final int LISTED_VALUES = 1000;

  /** Numbers that an automaton of a few states counts by. */
  private static final int[] DIVISORS = {9, 3, 7, 11, 13};

  private Multiples() {}

  /** The numbers of a band, if its steps cannot be told by their last digits and they are few. */
  static Optional<List<BigDecimal>> listed(Band band) {
    var hard = band.steps().stream().filter(step -> !isTold(step)).findFirst();
    if (hard.isEmpty()
        || !(band.low() instanceof Edge.At(BigDecimal from, boolean _))
        || !(band.high() instanceof Edge.At(BigDecimal to, boolean _))) {
      return Optional.empty();
    }
    var step = hard.get();
    var value = from.divide(step, 0, RoundingMode.CEILING).multiply(step);
    if (to.subtract(value)
            .divide(step, 0, RoundingMode.FLOOR)
            .compareTo(BigDecimal.valueOf(LISTED_VALUES))
        > 0) {
      return Optional.empty();
    }
    var values = new ArrayList<BigDecimal>();
    for (; value.compareTo(to) <= 0; value = value.add(step)) {
      if (band.contains(value)) values.add(value);
    }
    return Optional.of(values);
  }

  /** What is left of a number without its factors 2 and 5. */
  private static BigInteger odd(BigInteger number) {
    var odd = number;
    for (int factor : new int[] {2, 5}) odd = without(odd, factor);
    return odd;
  }

  private static BigInteger without(BigInteger number, int factor) {
    var rest = number;
    var divisor = BigInteger.valueOf(factor);
    while (rest.mod(divisor).signum() == 0) rest = rest.divide(divisor);
    return rest;
  }

  /** Whether multiples of a step can be told without listing them. */
  private static boolean isTold(BigDecimal step) {
    int digits = Math.max(0, step.scale());
    var unit = step.setScale(digits).unscaledValue();
    var odd = odd(unit);
    return divisors(odd).isPresent() && endsTell(unit.divide(odd), digits);
  }

  private static boolean endsTell(BigInteger unit, int digits) {
    if (unit.equals(BigInteger.TEN.pow(unit.toString().length() - 1))) return true;
    return digits == 0
        ? BigInteger.TEN.pow(LISTED_DIGITS).mod(unit).signum() == 0
        : digits <= LISTED_DIGITS && BigInteger.TEN.pow(digits).mod(unit).signum() == 0;
  }

  /** Small numbers without a common factor whose product is the number, if there are any. */
  private static Optional<List<Integer>> divisors(BigInteger number) {
    var divisors = new ArrayList<Integer>();
    var rest = number;
    for (int divisor : DIVISORS) {
      var big = BigInteger.valueOf(divisor);
      if (rest.mod(big).signum() != 0 || divisor == 3 && divisors.contains(9)) continue;
      rest = rest.divide(big);
      divisors.add(divisor);
    }
    return rest.equals(BigInteger.ONE) ? Optional.of(divisors) : Optional.empty();
  }

  /** Plain decimals from 0 on that are multiples of a step. */
  static Regex of(BigDecimal step) {
    int digits = Math.max(0, step.scale());
    var unit = step.setScale(digits).unscaledValue();
    var odd = odd(unit);
    if (odd.equals(BigInteger.ONE)) return byEnds(step);
    var all = new ArrayList<Regex>();
    all.add(byEnds(new BigDecimal(unit.divide(odd), digits)));
    for (int divisor : divisors(odd).orElseThrow(() -> unkept(step))) {
      all.add(Remainders.of(divisor));
    }
    return new Regex.AllOf(all);
  }

  /** Multiples of a step that divides a power of ten, or is one. */
  private static Regex byEnds(BigDecimal step) {
    var zeros = text("0").many();
    if (step.scale() > 0) {
      int digits = step.scale();
      var unit = step.unscaledValue();
      if (unit.equals(BigInteger.ONE)) {
        var fraction =
            anyOf(DIGIT.repeat(1, digits), sequence(DIGIT.repeat(digits, digits), zeros));
        return sequence(INTEGER, sequence(text("."), fraction).optional());
      }
      var whole = BigInteger.TEN.pow(digits);
      if (digits <= LISTED_DIGITS && whole.mod(unit).signum() == 0) {
        var fractions = new ArrayList<Regex>();
        for (int i = 0; i < whole.intValue(); i += unit.intValue()) {
          var fraction = ("%0" + digits + "d").formatted(i).replaceAll("0+$", "");
          fractions.add(
              fraction.isEmpty() ? sequence(text("0"), zeros) : sequence(text(fraction), zeros));
        }
        return sequence(INTEGER, sequence(text("."), new Regex.AnyOf(fractions)).optional());
      }
      throw unkept(step);
    }
    var whole = step.toBigIntegerExact();
    var fraction = sequence(text(".0"), zeros).optional();
    if (whole.equals(BigInteger.ONE)) return sequence(INTEGER, fraction);
    int tens = whole.toString().length() - 1;
    if (whole.equals(BigInteger.TEN.pow(tens))) {
      return sequence(
          anyOf(text("0"), sequence(NONZERO, DIGITS, text("0".repeat(tens)))), fraction);
    }
    for (int digits = 1; digits <= LISTED_DIGITS; digits++) {
      var power = BigInteger.TEN.pow(digits);
      if (power.mod(whole).signum() == 0) {
        var ends = new ArrayList<Regex>();
        for (int i = 0; i < power.intValue(); i += whole.intValue()) {
          ends.add(text(Integer.toString(i)));
          ends.add(sequence(NONZERO, DIGITS, text(("%0" + digits + "d").formatted(i))));
        }
        return sequence(new Regex.AnyOf(ends), fraction);
      }
    }
    throw unkept(step);
  }

  private static Unplaced unkept(BigDecimal step) {
    return new Unplaced(
        "multipleOf "
            + step.toPlainString()
            + " cannot be kept: steps that can are made of 2, 5, 7, 9, 11 and 13 and powers of ten,"
            + " such as 0.01, 0.5, 15 or 60, and others between a minimum and a maximum that are near");
  }
}
