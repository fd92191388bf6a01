package weft.text.regex;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * An immutable set of Unicode code points, kept as sorted disjoint ranges with a bitmap in front
 * for ASCII.
 */
public final class CodePointSet {
  static final CodePointSet EMPTY = new CodePointSet(new int[0]);
  static final CodePointSet ALL = new CodePointSet(new int[] {0, Character.MAX_CODE_POINT});

  /** Inclusive bounds: from, to, from, to, … with a gap of at least one between ranges. */
  private final int[] ranges;

  private final long below64;
  private final long below128;

  private CodePointSet(int[] ranges) {
    this.ranges = ranges;
    this.below64 = bitmap(ranges, 0);
    this.below128 = bitmap(ranges, 64);
  }

  /** The set of all code points that satisfy a predicate. */
  static CodePointSet where(IntPredicate predicate) {
    var builder = new Builder();
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      if (predicate.test(c)) {
        builder.add(c, c);
      }
    }
    return builder.build();
  }

  static CodePointSet of(int codePoint) {
    return new CodePointSet(new int[] {codePoint, codePoint});
  }

  static CodePointSet range(int from, int to) {
    return new CodePointSet(new int[] {from, to});
  }

  /** Whether a code point is a member. */
  public boolean contains(int codePoint) {
    if (codePoint < 64) {
      return (below64 >>> codePoint & 1) != 0;
    }
    if (codePoint < 128) {
      return (below128 >>> codePoint & 1) != 0;
    }
    int low = 0;
    int high = ranges.length / 2 - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (codePoint < ranges[2 * middle]) {
        high = middle - 1;
      } else if (codePoint > ranges[2 * middle + 1]) {
        low = middle + 1;
      } else {
        return true;
      }
    }
    return false;
  }

  /** The only member, or -1 where there are none or several. */
  int single() {
    return ranges.length == 2 && ranges[0] == ranges[1] ? ranges[0] : -1;
  }

  CodePointSet union(CodePointSet other) {
    var builder = new Builder();
    int i = 0;
    int j = 0;
    while (i < ranges.length || j < other.ranges.length) {
      if (j == other.ranges.length || (i < ranges.length && ranges[i] <= other.ranges[j])) {
        builder.add(ranges[i], ranges[i + 1]);
        i += 2;
      } else {
        builder.add(other.ranges[j], other.ranges[j + 1]);
        j += 2;
      }
    }
    return builder.build();
  }

  CodePointSet intersection(CodePointSet other) {
    var builder = new Builder();
    int i = 0;
    int j = 0;
    while (i < ranges.length && j < other.ranges.length) {
      int from = Math.max(ranges[i], other.ranges[j]);
      int to = Math.min(ranges[i + 1], other.ranges[j + 1]);
      if (from <= to) {
        builder.add(from, to);
      }
      if (ranges[i + 1] < other.ranges[j + 1]) {
        i += 2;
      } else {
        j += 2;
      }
    }
    return builder.build();
  }

  CodePointSet complement() {
    var builder = new Builder();
    int next = 0;
    for (int i = 0; i < ranges.length; i += 2) {
      if (next < ranges[i]) {
        builder.add(next, ranges[i] - 1);
      }
      next = ranges[i + 1] + 1;
    }
    if (next <= Character.MAX_CODE_POINT) {
      builder.add(next, Character.MAX_CODE_POINT);
    }
    return builder.build();
  }

  private static long bitmap(int[] ranges, int base) {
    long bits = 0;
    for (int i = 0; i < ranges.length && ranges[i] < base + 64; i += 2) {
      for (int c = Math.max(ranges[i], base); c <= Math.min(ranges[i + 1], base + 63); c++) {
        bits |= 1L << (c - base);
      }
    }
    return bits;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CodePointSet set && Arrays.equals(ranges, set.ranges);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(ranges);
  }

  @Override
  public String toString() {
    return "CodePointSet" + Arrays.toString(ranges);
  }

  /** Collects ranges in ascending order and joins neighbours. */
  static final class Builder {
    private int[] ranges = new int[16];
    private int size;

    void add(int from, int to) {
      if (size > 0 && from <= ranges[size - 1] + 1) {
        ranges[size - 1] = Math.max(ranges[size - 1], to);
        return;
      }
      if (size + 2 > ranges.length) {
        ranges = Arrays.copyOf(ranges, 2 * ranges.length);
      }
      ranges[size++] = from;
      ranges[size++] = to;
    }

    CodePointSet build() {
      return size == 0 ? EMPTY : new CodePointSet(Arrays.copyOf(ranges, size));
    }
  }
}
