package weft.text.jinja;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import weft.text.jinja.Value.Listing;
import weft.text.jinja.Value.Numeric;
import weft.text.jinja.Value.Range;
import weft.text.jinja.Value.Sequence;
import weft.text.jinja.Value.Text;
import weft.text.jinja.Value.Tuple;
import weft.text.jinja.Value.View;

/** Python's equality and order, and the stable sort on top of it. */
final class Comparison {
  private Comparison() {}

  /** A comparison operator with Python's sign for it. */
  enum Operator {
    EQUAL("=="),
    NOT_EQUAL("!="),
    LESS("<"),
    LESS_OR_EQUAL("<="),
    GREATER(">"),
    GREATER_OR_EQUAL(">="),
    IN("in"),
    NOT_IN("not in");

    private final String sign;

    Operator(String sign) {
      this.sign = sign;
    }

    String sign() {
      return sign;
    }

    boolean test(Run run, Value left, Value right) {
      return switch (this) {
        case EQUAL -> equal(run, left, right);
        case NOT_EQUAL -> !equal(run, left, right);
        case IN -> Iteration.contains(run, right, left);
        case NOT_IN -> !Iteration.contains(run, right, left);
        case LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> ordered(run, left, right);
      };
    }

    private boolean ordered(Run run, Value left, Value right) {
      if (left instanceof Numeric a && right instanceof Numeric b) {
        return !Numbers.isNaN(a) && !Numbers.isNaN(b) && holds(Numbers.compare(a, b));
      }
      if (left instanceof Text a && right instanceof Text b) {
        run.budget().scan(Math.min(a.text().length(), b.text().length()));
        return holds(byCodePoint(a.text(), b.text()));
      }
      if (left instanceof Listing a && right instanceof Listing b) {
        return orderedItems(run, a, b);
      }
      if (left instanceof Tuple a && right instanceof Tuple b) {
        return orderedItems(run, a, b);
      }
      if (left instanceof Undefined undefined) {
        throw undefined.failure();
      }
      if (right instanceof Undefined undefined) {
        throw undefined.failure();
      }
      throw Failure.runtime(
          "'%s' not supported between instances of '%s' and '%s'"
              .formatted(sign, left.typeName(), right.typeName()));
    }

    /** The first pair of unequal items decides, else the length. */
    private boolean orderedItems(Run run, Sequence left, Sequence right) {
      run.budget().enter(2);
      try {
        int common = Math.min(left.size(), right.size());
        for (int i = 0; i < common; i++) {
          if (!equal(run, left.get(i), right.get(i))) {
            return ordered(run, left.get(i), right.get(i));
          }
        }
        return holds(Integer.compare(left.size(), right.size()));
      } finally {
        run.budget().leave(2);
      }
    }

    private boolean holds(int order) {
      return switch (this) {
        case LESS -> order < 0;
        case LESS_OR_EQUAL -> order <= 0;
        case GREATER -> order > 0;
        case GREATER_OR_EQUAL -> order >= 0;
        case EQUAL, NOT_EQUAL, IN, NOT_IN -> throw new IllegalStateException(this + " is no order");
      };
    }
  }

  static boolean equal(Run run, Value left, Value right) {
    run.budget().step();
    if (left instanceof Text a && right instanceof Text b) {
      run.budget().scan(a.text().length() == b.text().length() ? a.text().length() : 0);
      return a.text().equals(b.text());
    }
    if (left instanceof Numeric a && right instanceof Numeric b) {
      return !Numbers.isNaN(a) && !Numbers.isNaN(b) && Numbers.compare(a, b) == 0;
    }
    if (left instanceof Undefined || right instanceof Undefined) {
      return left instanceof Undefined && right instanceof Undefined;
    }
    if (left == right) {
      return true;
    }
    run.budget().enter(2);
    try {
      return switch (left) {
        case Listing a -> right instanceof Listing b && equalItems(run, a, b);
        case Tuple a -> right instanceof Tuple b && equalItems(run, a, b);
        case Range a -> right instanceof Range b && equalRanges(a, b);
        case Dict a -> right instanceof Dict b && equalEntries(run, a, b);
        case View a -> right instanceof View b && equalViews(run, a, b);
        default -> left.equals(right);
      };
    } finally {
      run.budget().leave(2);
    }
  }

  private static boolean equalItems(Run run, Sequence left, Sequence right) {
    if (left.size() != right.size()) {
      return false;
    }
    for (int i = 0; i < left.size(); i++) {
      if (left.get(i) != right.get(i) && !equal(run, left.get(i), right.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean equalRanges(Range left, Range right) {
    return left.size() == right.size()
        && (left.size() == 0 || left.start() == right.start())
        && (left.size() <= 1 || left.step() == right.step());
  }

  private static boolean equalEntries(Run run, Dict left, Dict right) {
    if (left.size() != right.size()) {
      return false;
    }
    for (Dict.Entry entry : left.entries()) {
      Optional<Value> other = right.get(entry.key());
      if (other.isEmpty() || !equal(run, entry.value(), other.get())) {
        return false;
      }
    }
    return true;
  }

  /** Views of keys and of items compare as sets; views of values are only equal to themselves. */
  private static boolean equalViews(Run run, View left, View right) {
    if (left.kind() == View.Kind.VALUES
        || left.kind() != right.kind()
        || left.dict().size() != right.dict().size()) {
      return false;
    }
    if (left.kind() == View.Kind.ITEMS) {
      return equalEntries(run, left.dict(), right.dict());
    }
    run.budget().items(left.dict().size());
    return left.dict().entries().stream().allMatch(entry -> right.dict().has(entry.key()));
  }

  /**
   * Python orders strings by code point, Java by UTF-16 unit, which differs beyond the basic plane.
   */
  private static int byCodePoint(String left, String right) {
    int common = Math.min(left.length(), right.length());
    for (int i = 0; i < common; i++) {
      char a = left.charAt(i);
      char b = right.charAt(i);
      if (a != b) {
        return Character.isSurrogate(a) != Character.isSurrogate(b)
            ? Boolean.compare(Character.isSurrogate(a), Character.isSurrogate(b))
            : Character.compare(a, b);
      }
    }
    return Integer.compare(left.length(), right.length());
  }

  static boolean less(Run run, Value left, Value right) {
    return Operator.LESS.test(run, left, right);
  }

  /**
   * The positions of {@code keys} in sorted order; equal keys keep their order. A merge sort of our
   * own, because the JDK's may throw on keys without a total order, such as NaN.
   */
  static List<Integer> sortedOrder(Run run, List<Value> keys, boolean reverse) {
    run.budget().items(2L * keys.size());
    int[] order = new int[keys.size()];
    for (int i = 0; i < order.length; i++) {
      order[i] = i;
    }
    int[] merged = new int[order.length];
    for (int width = 1; width < order.length; width *= 2) {
      for (int start = 0; start < order.length; start += 2 * width) {
        int middle = Math.min(start + width, order.length);
        int end = Math.min(start + 2 * width, order.length);
        int left = start;
        int right = middle;
        for (int i = start; i < end; i++) {
          boolean takeRight =
              left == middle
                  || right < end && precedes(run, keys, order[right], order[left], reverse);
          merged[i] = takeRight ? order[right++] : order[left++];
        }
      }
      int[] swap = order;
      order = merged;
      merged = swap;
    }
    List<Integer> result = new ArrayList<>(order.length);
    for (int index : order) {
      result.add(index);
    }
    return result;
  }

  private static boolean precedes(Run run, List<Value> keys, int one, int other, boolean reverse) {
    return reverse
        ? less(run, keys.get(other), keys.get(one))
        : less(run, keys.get(one), keys.get(other));
  }
}
