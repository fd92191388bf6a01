package weft.constrain;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import weft.unicode.CodePointSet;

/** Sets of characters as expressions over the bytes of their UTF-8. */
final class Utf8 {
  private static final int[] LAST_OF_LENGTH = {0x7F, 0x7FF, 0xFFFF, Character.MAX_CODE_POINT};
  private static final int[] LEADS = {0, 0xC0, 0xE0, 0xF0};

  private final Residuals residuals;
  private final Map<CodePointSet, Residual> made = new HashMap<>();

  Utf8(Residuals residuals) {
    this.residuals = residuals;
  }

  Residual anyCharacter() {
    return one(CodePointSet.ALL);
  }

  /** One character of a set. */
  Residual one(CodePointSet set) {
    return made.computeIfAbsent(set, this::make);
  }

  private Residual make(CodePointSet set) {
    var ways = new ArrayList<Residual>();
    int first = 0;
    for (int length = 1; length <= 4; length++) {
      int last = LAST_OF_LENGTH[length - 1];
      var ranges = new ArrayList<int[]>();
      for (int i = 0; i < set.rangeCount(); i++) {
        add(ranges, Math.max(first, set.from(i)), Math.min(last, set.to(i)));
      }
      if (!ranges.isEmpty()) ways.add(characters(ranges, length - 1, LEADS[length - 1]));
      first = last + 1;
    }
    return residuals.any(ways.toArray(Residual[]::new));
  }

  /** Adds a range but for surrogates, which have no UTF-8. */
  private static void add(List<int[]> ranges, int from, int to) {
    if (from < Character.MIN_SURROGATE && to >= Character.MIN_SURROGATE) {
      ranges.add(new int[] {from, Character.MIN_SURROGATE - 1});
      from = Character.MIN_SURROGATE;
    }
    if (from >= Character.MIN_SURROGATE && from <= Character.MAX_SURROGATE) {
      from = Character.MAX_SURROGATE + 1;
    }
    if (from <= to) ranges.add(new int[] {from, to});
  }

  /** Numbers in ranges, written as a first byte above {@code lead} and so many that follow. */
  private Residual characters(List<int[]> ranges, int following, int lead) {
    int shift = 6 * following;
    // First bytes with the same continuations go together.
    var firsts = new LinkedHashMap<Residual, ByteSet>();
    int low = (1 << shift) - 1;
    for (int i = 0; i < ranges.size(); ) {
      int digit = ranges.get(i)[0] >> shift;
      int to = ranges.get(i)[1];
      if (following == 0) {
        firsts.merge(residuals.empty, ByteSet.range(lead + digit, lead + to), ByteSet::or);
        i++;
        continue;
      }
      var within = new ArrayList<int[]>();
      while (i < ranges.size() && ranges.get(i)[0] >> shift == digit) {
        int[] range = ranges.get(i);
        within.add(new int[] {range[0] & low, range[1] >> shift == digit ? range[1] & low : low});
        if (range[1] >> shift > digit) break;
        i++;
      }
      var tail = characters(within, following - 1, 0x80);
      firsts.merge(tail, ByteSet.of(lead + digit), ByteSet::or);
      if (i < ranges.size() && ranges.get(i)[0] >> shift == digit) {
        // The range goes on: whole digits first, then what is left of the last.
        int[] range = ranges.get(i);
        int lastDigit = range[1] >> shift;
        boolean isWhole = (range[1] & low) == low;
        int lastWhole = isWhole ? lastDigit : lastDigit - 1;
        if (lastWhole > digit) {
          var all = characters(List.of(new int[] {0, low}), following - 1, 0x80);
          firsts.merge(all, ByteSet.range(lead + digit + 1, lead + lastWhole), ByteSet::or);
        }
        if (isWhole) {
          i++;
        } else {
          ranges.set(i, new int[] {lastDigit << shift, range[1]});
        }
      }
    }
    var ways = new ArrayList<Residual>();
    firsts.forEach((tail, set) -> ways.add(residuals.sequence(residuals.bytes(set), tail)));
    return residuals.any(ways.toArray(Residual[]::new));
  }
}
