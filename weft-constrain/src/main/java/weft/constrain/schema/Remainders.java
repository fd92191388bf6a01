package weft.constrain.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import weft.constrain.Regex;
import weft.unicode.CodePointSet;

/**
 * Plain decimals whose digits, read as one number, are a multiple of a small one that has neither 2
 * nor 5 as a factor, so that zeros at the end change nothing: Kleene's construction from the
 * automaton that keeps the remainder.
 */
final class Remainders {
  private final int divisor;

  /** From a remainder to another by digits, none at all among them. */
  private final Regex[][] ways;

  private Remainders(int divisor) {
    this.divisor = divisor;
    this.ways = new Regex[divisor][divisor];
    for (int from = 0; from < divisor; from++) {
      for (int to = 0; to < divisor; to++) ways[from][to] = Regex.NOTHING;
      var digits = new TreeMap<Integer, CodePointSet>();
      for (int digit = 0; digit < 10; digit++) {
        digits.merge(
            (10 * from + digit) % divisor, CodePointSet.of('0' + digit), CodePointSet::union);
      }
      for (var entry : digits.entrySet()) {
        ways[from][entry.getKey()] = Regex.characters(entry.getValue());
      }
    }
    for (int over = 0; over < divisor; over++) lead(over);
  }

  /** Adds the ways that lead over a remainder. */
  private void lead(int over) {
    var loop = ways[over][over].many();
    var to = ways[over].clone();
    for (int i = 0; i < divisor; i++) {
      if (ways[i][over] == Regex.NOTHING) continue;
      var before = Regex.sequence(ways[i][over], loop);
      for (int j = 0; j < divisor; j++) {
        if (to[j] == Regex.NOTHING) continue;
        var longer = Regex.sequence(before, to[j]);
        ways[i][j] = ways[i][j] == Regex.NOTHING ? longer : Regex.anyOf(ways[i][j], longer);
      }
    }
  }

  static Regex of(int divisor) {
    return new Remainders(divisor).multiples();
  }

  private Regex multiples() {
    var all = new ArrayList<Regex>();
    for (int remainder = 0; remainder < divisor; remainder++) {
      var whole = whole(remainder);
      if (remainder == 0) all.add(whole);
      all.add(Regex.sequence(whole, Regex.text("."), ways[remainder][0]));
    }
    return new Regex.AnyOf(all);
  }

  /** Whole numbers that leave a remainder. */
  private Regex whole(int remainder) {
    var all = new ArrayList<Regex>();
    if (remainder == 0) all.add(Regex.text("0"));
    for (int digit = 1; digit < 10; digit++) {
      var first = Regex.text(Integer.toString(digit));
      var rest = ways[digit % divisor][remainder];
      all.add(
          digit % divisor == remainder
              ? Regex.sequence(first, rest.optional())
              : Regex.sequence(first, rest));
    }
    return new Regex.AnyOf(List.copyOf(all));
  }
}
