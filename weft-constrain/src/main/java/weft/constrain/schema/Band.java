package weft.constrain.schema;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Numbers between two edges that are multiples of all {@code steps} and of none of {@code broken};
 * whole numbers are the multiples of 1.
 */
record Band(Edge low, Edge high, Set<BigDecimal> steps, Set<BigDecimal> broken) {
  /** Every number. */
  static final Band ALL = new Band(Edge.NONE, Edge.NONE, Set.of(), Set.of());

  /** Every whole number. */
  static final Band WHOLE = new Band(Edge.NONE, Edge.NONE, Set.of(BigDecimal.ONE), Set.of());

  /** How many multiples are looked at for one that fits all the rest. */
  private static final int TRIES = 64;

  /** One number alone. */
  static Band point(BigDecimal value) {
    return new Band(Edge.including(value), Edge.including(value), Set.of(), Set.of());
  }

  static Band between(Edge low, Edge high) {
    return new Band(low, high, Set.of(), Set.of());
  }

  static Band multiplesOf(BigDecimal step) {
    return new Band(Edge.NONE, Edge.NONE, Set.of(step.stripTrailingZeros()), Set.of());
  }

  boolean contains(BigDecimal number) {
    return low.isBelow(number)
        && high.isAbove(number)
        && steps.stream().allMatch(step -> isMultiple(number, step))
        && broken.stream().noneMatch(step -> isMultiple(number, step));
  }

  Band and(Band other) {
    return new Band(
        Edge.higher(low, other.low),
        Edge.lower(high, other.high),
        joined(steps, other.steps),
        joined(broken, other.broken));
  }

  /** Bands that together hold what this does not. */
  List<Band> not() {
    var bands = new ArrayList<Band>();
    if (low instanceof Edge.At) bands.add(between(Edge.NONE, low.turned()));
    if (high instanceof Edge.At) bands.add(between(high.turned(), Edge.NONE));
    for (var step : steps) bands.add(new Band(Edge.NONE, Edge.NONE, Set.of(), Set.of(step)));
    for (var step : broken) bands.add(multiplesOf(step));
    return bands;
  }

  /** Whether this is surely empty; bands with odd steps may be empty without being so called. */
  boolean isEmpty() {
    for (var step : steps) {
      for (var not : broken) if (isMultiple(step, not)) return true;
    }
    if (!(low instanceof Edge.At(BigDecimal from, boolean fromIncluded))
        || !(high instanceof Edge.At(BigDecimal to, boolean toIncluded))) {
      return false;
    }
    int order = from.compareTo(to);
    if (order > 0) return true;
    if (order == 0) return !fromIncluded || !toIncluded || !contains(from);
    return !steps.isEmpty() && !holdsMultiple(from);
  }

  private boolean holdsMultiple(BigDecimal from) {
    var step = steps.stream().max(BigDecimal::compareTo).orElseThrow();
    var candidate = from.divide(step, 0, RoundingMode.CEILING).multiply(step);
    for (int i = 0; i < TRIES; i++) {
      if (!high.isAbove(candidate)) return false;
      if (contains(candidate)) return true;
      candidate = candidate.add(step);
    }
    return true;
  }

  /** Whether this is one number alone. */
  boolean isPoint() {
    return low instanceof Edge.At(BigDecimal from, boolean _)
        && high instanceof Edge.At(BigDecimal to, boolean _)
        && from.compareTo(to) == 0;
  }

  static boolean isMultiple(BigDecimal number, BigDecimal step) {
    // A remainder of 1e400 by 1e-400 would be 800 digits long; scales are bounded where they are
    // read.
    int scale = Math.max(0, Math.max(number.scale(), step.scale()));
    BigInteger unit = step.setScale(scale).unscaledValue();
    return number.setScale(scale).unscaledValue().mod(unit).signum() == 0;
  }

  private static Set<BigDecimal> joined(Set<BigDecimal> a, Set<BigDecimal> b) {
    if (a.containsAll(b)) return a;
    if (a.isEmpty()) return b;
    var joined = new LinkedHashSet<>(a);
    joined.addAll(b);
    return joined;
  }
}
