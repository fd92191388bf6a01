package weft.text.regex;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import weft.unicode.CodePointSet;

/** Simple case folding of Unicode: which code points are the same letter when case is ignored. */
final class CaseFolding {
  private static final int CAPITAL_I_WITH_DOT = 0x130;
  private static final int DOTLESS_I = 0x131;

  private CaseFolding() {}

  /** A set together with the other cases of all its members. */
  static CodePointSet close(CodePointSet set) {
    var added = new TreeSet<Integer>();
    int single = set.single();
    if (single >= 0) {
      added.addAll(Letters.CLASSES.getOrDefault(fold(single), Set.of()));
    } else {
      for (Set<Integer> letter : Letters.CLASSES.values()) {
        if (letter.stream().anyMatch(set::contains)) {
          added.addAll(letter);
        }
      }
    }
    var builder = new CodePointSet.Builder();
    added.forEach(c -> builder.add(c, c));
    return set.union(builder.build());
  }

  private static int fold(int c) {
    // Java maps both Turkish letters to i; Unicode's folding leaves the two alone outside Turkish.
    if (c == CAPITAL_I_WITH_DOT || c == DOTLESS_I) {
      return c;
    }
    return Character.toLowerCase(Character.toUpperCase(c));
  }

  /** Computed on first use: most patterns never ignore case. */
  private static final class Letters {
    static final Map<Integer, Set<Integer>> CLASSES = classes();

    private static Map<Integer, Set<Integer>> classes() {
      var classes = new HashMap<Integer, Set<Integer>>();
      for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
        int folded = fold(c);
        if (folded != c) {
          var letter = classes.computeIfAbsent(folded, key -> new HashSet<>(Set.of(key)));
          letter.add(c);
        }
      }
      return classes;
    }
  }
}
