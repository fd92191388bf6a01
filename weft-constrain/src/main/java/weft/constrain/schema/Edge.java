package weft.constrain.schema;

import java.math.BigDecimal;

/** Where a band of numbers ends on one side. */
sealed interface Edge {
  /** It does not end. */
  Edge NONE = new None();

  /** No end. */
  record None() implements Edge {}

  /** At a number, which belongs to the band or does not. */
  record At(BigDecimal value, boolean included) implements Edge {}

  static Edge including(BigDecimal value) {
    return new At(value, true);
  }

  static Edge excluding(BigDecimal value) {
    return new At(value, false);
  }

  /** The edge of what this one cuts off. */
  default Edge turned() {
    return switch (this) {
      case None none -> none;
      case At(BigDecimal value, boolean included) -> new At(value, !included);
    };
  }

  /** The same edge on the other side of zero. */
  default Edge negated() {
    return switch (this) {
      case None none -> none;
      case At(BigDecimal value, boolean included) -> new At(value.negate(), included);
    };
  }

  /** Whether a number is on the inner side of this lower edge. */
  default boolean isBelow(BigDecimal number) {
    return switch (this) {
      case None _ -> true;
      case At(BigDecimal value, boolean included) ->
          included ? value.compareTo(number) <= 0 : value.compareTo(number) < 0;
    };
  }

  /** Whether a number is on the inner side of this upper edge. */
  default boolean isAbove(BigDecimal number) {
    return negated().isBelow(number.negate());
  }

  /** The higher of two lower edges. */
  static Edge higher(Edge a, Edge b) {
    if (!(a instanceof At(BigDecimal first, boolean included))) return b;
    if (!(b instanceof At(BigDecimal second, boolean _))) return a;
    int order = first.compareTo(second);
    if (order == 0) return included ? b : a;
    return order > 0 ? a : b;
  }

  /** The lower of two upper edges. */
  static Edge lower(Edge a, Edge b) {
    return higher(a.negated(), b.negated()).negated();
  }
}
