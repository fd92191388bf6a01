package weft.constrain.schema;

import static weft.constrain.Regex.UNBOUNDED;
import static weft.constrain.Regex.allOf;
import static weft.constrain.Regex.anyOf;
import static weft.constrain.Regex.oneOf;
import static weft.constrain.Regex.range;
import static weft.constrain.Regex.sequence;
import static weft.constrain.Regex.text;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import weft.constrain.Regex;

/**
 * How the numbers of a set are written. All numbers: as JSON has it. Whole ones: digits alone,
 * since not every edition of JSON Schema, nor every program that reads the text, takes 1.0 for one.
 * Between edges: plain decimals, and one digit before the point where there is an exponent, as
 * programs write them; other exponents could not be told apart by a finite automaton.
 */
final class NumberSpelling {
  static final Regex DIGIT = range('0', '9');
  static final Regex DIGITS = DIGIT.many();
  private static final Regex SOME_DIGITS = DIGIT.repeat(1, UNBOUNDED);
  static final Regex NONZERO = range('1', '9');
  static final Regex INTEGER = anyOf(text("0"), sequence(NONZERO, DIGITS));
  private static final Regex FRACTION = sequence(text("."), SOME_DIGITS);
  private static final Regex PLAIN = sequence(INTEGER, FRACTION.optional());
  private static final Regex MINUS = text("-").optional();
  private static final Regex E = oneOf("eE");

  /** Any number of JSON. */
  static final Regex ANY =
      sequence(MINUS, PLAIN, sequence(E, oneOf("+-").optional(), SOME_DIGITS).optional());

  private static final Regex WHOLE = sequence(MINUS, INTEGER);

  private NumberSpelling() {}

  static Regex of(Numbers numbers) {
    var spellings = new ArrayList<Regex>();
    for (var band : numbers.bands()) spellings.add(of(band));
    return spellings.size() == 1 ? spellings.getFirst() : new Regex.AnyOf(spellings);
  }

  private static Regex of(Band band) {
    if (band.equals(Band.ALL)) return ANY;
    if (band.equals(Band.WHOLE)) return WHOLE;
    if (band.isPoint() && band.low() instanceof Edge.At(BigDecimal value, boolean _)) {
      return point(value, band.steps().contains(BigDecimal.ONE));
    }
    var listed = Multiples.listed(band);
    if (listed.isPresent()) {
      boolean whole = band.steps().contains(BigDecimal.ONE);
      return new Regex.AnyOf(listed.get().stream().map(value -> point(value, whole)).toList());
    }
    var signs = new ArrayList<Regex>();
    if (band.high().isAbove(BigDecimal.ZERO) || above(band.high(), BigDecimal.ZERO)) {
      signs.add(magnitude(band.low(), band.high(), band));
    }
    var negated = band.low().negated();
    if (negated.isAbove(BigDecimal.ZERO) || above(negated, BigDecimal.ZERO)) {
      signs.add(sequence(text("-"), magnitude(band.high().negated(), negated, band)));
    }
    return new Regex.AnyOf(signs);
  }

  private static boolean above(Edge edge, BigDecimal value) {
    return !(edge instanceof Edge.At(BigDecimal at, boolean _)) || at.compareTo(value) > 0;
  }

  private static Regex point(BigDecimal value, boolean whole) {
    var texts = new LinkedHashSet<String>();
    var plain = value.stripTrailingZeros();
    if (plain.scale() <= 0) {
      texts.add(plain.toPlainString());
      if (!whole) texts.add(plain.toPlainString() + ".0");
    } else {
      texts.add(plain.toPlainString());
    }
    int exponent = plain.precision() - plain.scale() - 1;
    if (!whole && plain.signum() != 0 && (exponent >= 16 || exponent < -4)) {
      // As programs write a double: 1e+16, 1.5e-05, 1E16.
      var digits = plain.unscaledValue().abs().toString();
      var mantissa =
          (plain.signum() < 0 ? "-" : "")
              + digits.charAt(0)
              + (digits.length() > 1 ? "." + digits.substring(1) : "");
      texts.add(mantissa + (exponent < 0 ? "e-%02d" : "e+%02d").formatted(Math.abs(exponent)));
      texts.add(mantissa + "e" + exponent);
      texts.add(mantissa + "E" + exponent);
    }
    return Regex.anyText(List.copyOf(texts));
  }

  /** The spellings of the numbers from 0 on that are between edges and fit the band's steps. */
  private static Regex magnitude(Edge low, Edge high, Band band) {
    if (band.broken().isEmpty() && band.steps().contains(BigDecimal.ONE)) {
      var whole = integers(low, high);
      var other = new ArrayList<Regex>();
      for (var step : band.steps()) if (!step.equals(BigDecimal.ONE)) other.add(Multiples.of(step));
      if (other.isEmpty()) return whole;
      other.add(whole);
      return new Regex.AllOf(other);
    }
    var all = new ArrayList<Regex>();
    all.add(decimals(low, high));
    for (var step : band.steps()) all.add(Multiples.of(step));
    for (var step : band.broken()) all.add(Multiples.of(step).not());
    var plain = all.size() == 1 ? all.getFirst() : new Regex.AllOf(all);
    return band.steps().isEmpty() && band.broken().isEmpty()
        ? anyOf(plain, scientific(low, high))
        : plain;
  }

  private static Regex integers(Edge low, Edge high) {
    var from = BigInteger.ZERO;
    if (low instanceof Edge.At(BigDecimal at, boolean included) && at.signum() >= 0) {
      from = at.setScale(0, RoundingMode.CEILING).toBigInteger();
      if (!included && new BigDecimal(from).compareTo(at) == 0) from = from.add(BigInteger.ONE);
    }
    if (!(high instanceof Edge.At(BigDecimal at, boolean included))) return integersFrom(from);
    var to = at.setScale(0, RoundingMode.FLOOR).toBigInteger();
    if (!included && new BigDecimal(to).compareTo(at) == 0) to = to.subtract(BigInteger.ONE);
    return integers(from, to);
  }

  /** Whole numbers from a number on, without a zero in front. */
  private static Regex integersFrom(BigInteger from) {
    if (from.signum() == 0) return INTEGER;
    int length = from.toString().length();
    return anyOf(
        integers(from, BigInteger.TEN.pow(length).subtract(BigInteger.ONE)),
        sequence(NONZERO, DIGIT.repeat(length, UNBOUNDED)));
  }

  /** Whole numbers of a range, without a zero in front. */
  private static Regex integers(BigInteger from, BigInteger to) {
    var parts = new ArrayList<Regex>();
    var low = from;
    while (low.compareTo(to) <= 0) {
      int length = low.toString().length();
      var longest = BigInteger.TEN.pow(length).subtract(BigInteger.ONE);
      var high = longest.min(to);
      parts.add(alike(low.toString(), high.toString()));
      low = high.add(BigInteger.ONE);
      if (low.toString().length() < to.toString().length()) {
        // Whole lengths in between are one part.
        int middle = low.toString().length();
        int last = to.toString().length() - 1;
        parts.add(sequence(NONZERO, DIGIT.repeat(middle - 1, last - 1)));
        low = BigInteger.TEN.pow(last);
      }
    }
    return parts.size() == 1 ? parts.getFirst() : new Regex.AnyOf(parts);
  }

  /** Digits of one length between two of that length. */
  private static Regex alike(String low, String high) {
    if (low.isEmpty()) return Regex.EMPTY;
    char first = low.charAt(0);
    char last = high.charAt(0);
    var lowRest = low.substring(1);
    var highRest = high.substring(1);
    if (first == last) return sequence(text(low.substring(0, 1)), alike(lowRest, highRest));
    int rest = lowRest.length();
    var zeros = "0".repeat(rest);
    var nines = "9".repeat(rest);
    var parts = new ArrayList<Regex>();
    char from = first;
    char to = last;
    if (!lowRest.equals(zeros)) {
      parts.add(sequence(text(low.substring(0, 1)), alike(lowRest, nines)));
      from++;
    }
    boolean splitHigh = !highRest.equals(nines);
    if (splitHigh) to--;
    if (from <= to) parts.add(sequence(range(from, to), DIGIT.repeat(rest, rest)));
    if (splitHigh) parts.add(sequence(text(high.substring(0, 1)), alike(zeros, highRest)));
    return parts.size() == 1 ? parts.getFirst() : new Regex.AnyOf(parts);
  }

  private static Regex decimals(Edge low, Edge high) {
    var all = new ArrayList<Regex>();
    if (low instanceof Edge.At(BigDecimal at, boolean included)
        && (at.signum() > 0 || at.signum() == 0 && !included)) {
      all.add(decimalsFrom(at, included));
    }
    if (high instanceof Edge.At(BigDecimal at, boolean included)) {
      all.add(decimalsFrom(at, !included).not());
    }
    if (all.isEmpty()) return PLAIN;
    all.addFirst(PLAIN);
    return new Regex.AllOf(all);
  }

  /** Plain decimals that are greater than a number from 0 on, or equal to it too. */
  private static Regex decimalsFrom(BigDecimal at, boolean included) {
    var plain = at.stripTrailingZeros();
    var digits = plain.scale() <= 0 ? plain.toPlainString() : plain.toPlainString().split("\\.")[0];
    var fraction = plain.scale() <= 0 ? "" : plain.toPlainString().split("\\.")[1];
    var above = new BigInteger(digits).add(BigInteger.ONE);
    var parts = new ArrayList<Regex>();
    parts.add(sequence(integersFrom(above), FRACTION.optional()));
    var equal = digits;
    if (fraction.isEmpty()) {
      parts.add(
          included
              ? sequence(text(equal), FRACTION.optional())
              : sequence(text(equal + "."), DIGITS, NONZERO, DIGITS));
      return new Regex.AnyOf(parts);
    }
    for (int i = 0; i < fraction.length(); i++) {
      if (fraction.charAt(i) != '9') {
        parts.add(
            sequence(
                text(equal + "." + fraction.substring(0, i)),
                range(fraction.charAt(i) + 1, '9'),
                DIGITS));
      }
    }
    var same = text(equal + "." + fraction);
    parts.add(included ? sequence(same, DIGITS) : sequence(same, DIGITS, NONZERO, DIGITS));
    return new Regex.AnyOf(parts);
  }

  /** One digit other than 0 before the point, and an exponent. */
  private static Regex scientific(Edge low, Edge high) {
    var all = new ArrayList<Regex>();
    var mantissa = sequence(NONZERO, FRACTION.optional());
    if (low instanceof Edge.At(BigDecimal at, boolean included) && at.signum() > 0) {
      int exponent = at.precision() - at.scale() - 1;
      var unit = at.movePointLeft(exponent);
      all.add(
          anyOf(
              sequence(mantissa, E, exponentFrom(exponent + 1)),
              sequence(allOf(mantissa, decimalsFrom(unit, included)), E, exponentIs(exponent))));
    }
    if (high instanceof Edge.At(BigDecimal at, boolean included)) {
      if (at.signum() <= 0) return Regex.NOTHING;
      int exponent = at.precision() - at.scale() - 1;
      var unit = at.movePointLeft(exponent);
      all.add(
          anyOf(
              sequence(mantissa, E, exponentTo(exponent - 1)),
              sequence(
                  allOf(mantissa, decimalsFrom(unit, !included).not()), E, exponentIs(exponent))));
    }
    if (all.isEmpty()) return sequence(mantissa, E, oneOf("+-").optional(), SOME_DIGITS);
    return all.size() == 1 ? all.getFirst() : new Regex.AllOf(all);
  }

  private static Regex exponentFrom(int least) {
    var plus = text("+").optional();
    var zeros = text("0").many();
    if (least > 0) return sequence(plus, zeros, integersFrom(BigInteger.valueOf(least)));
    return anyOf(
        sequence(plus, SOME_DIGITS),
        sequence(text("-"), zeros, integers(BigInteger.ZERO, BigInteger.valueOf(-least))));
  }

  private static Regex exponentTo(int greatest) {
    var plus = text("+").optional();
    var zeros = text("0").many();
    if (greatest < 0) {
      return sequence(text("-"), zeros, integersFrom(BigInteger.valueOf(-greatest)));
    }
    return anyOf(
        sequence(plus, zeros, integers(BigInteger.ZERO, BigInteger.valueOf(greatest))),
        sequence(text("-"), SOME_DIGITS));
  }

  private static Regex exponentIs(int exponent) {
    var sign = exponent < 0 ? text("-") : text("+").optional();
    return sequence(sign, text("0").many(), text(Integer.toString(Math.abs(exponent))));
  }
}
