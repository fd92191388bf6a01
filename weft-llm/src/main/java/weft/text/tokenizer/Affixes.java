package weft.text.tokenizer;

import java.util.stream.IntStream;

/** The ids that stand before and after a text which stands alone. */
record Affixes(int[] before, int[] after) {
  static final Affixes NONE = new Affixes(new int[0], new int[0]);

  /** These affixes inside others. */
  Affixes within(Affixes outer) {
    return new Affixes(concat(outer.before, before), concat(after, outer.after));
  }

  boolean isEmpty() {
    return before.length == 0 && after.length == 0;
  }

  private static int[] concat(int[] first, int[] second) {
    return IntStream.concat(IntStream.of(first), IntStream.of(second)).toArray();
  }
}
