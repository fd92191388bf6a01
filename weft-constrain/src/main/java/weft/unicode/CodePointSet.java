package weft.unicode;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * An immutable set of Unicode code points, kept as sorted disjoint ranges with a bitmap in front
 * for ASCII.
 */
public final class CodePointSet {
  public static final CodePointSet EMPTY = new CodePointSet(new int[0]);
  public static final CodePointSet ALL = new CodePointSet(new int[] {0, Character.MAX_CODE_POINT});

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
  public static CodePointSet where(IntPredicate predicate) {
    var builder = new Builder();
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      if (predicate.test(c)) {
        builder.add(c, c);
      }
    }
    return builder.build();
  }

  public static CodePointSet of(int codePoint) {
    return new CodePointSet(new int[] {codePoint, codePoint});
  }

  public static CodePointSet range(int from, int to) {
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

  /** How many ranges its members form, each as long as can be. */
  public int rangeCount() {
    return ranges.length / 2;
  }

  /** The first member of a range; ranges ascend. */
  public int from(int range) {
    return ranges[2 * range];
  }

  /** The last member of a range. */
  public int to(int range) {
    return ranges[2 * range + 1];
  }

  /** The only member, or -1 where there are none or several. */
  public int single() {
    return ranges.length == 2 && ranges[0] == ranges[1] ? ranges[0] : -1;
  }

  public CodePointSet union(CodePointSet other) {
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

  public CodePointSet intersection(CodePointSet other) {
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

  public CodePointSet complement() {
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
  public static final class Builder {
    private int[] ranges = new int[16];
    private int size;

    public void add(int from, int to) {
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

    public CodePointSet build() {
      return size == 0 ? EMPTY : new CodePointSet(Arrays.copyOf(ranges, size));
    }
  }
}
