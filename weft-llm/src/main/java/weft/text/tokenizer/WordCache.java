package weft.text.tokenizer;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the ids of recently met words in a table of fixed size: a new word takes the place of
 * the one in its slot.
 */
final class WordCache {
  /** Longer words are rare and would make the table's memory unbounded. */
  static final int MAX_LENGTH = 48;

  private static final int SLOTS = 1 << 15;

  /**
   * Threads race here without harm: an entry is immutable, so a reader sees a whole old one or a
   * whole new one.
   */
  private final @Nullable Entry[] entries = new Entry[SLOTS];

  private record Entry(long hash, char[] word, int[] ids) {}

  /** Appends the ids of a word if they are known. */
  boolean lookUp(long hash, char[] text, int start, int end, IntList out) {
    Entry entry = entries[(int) hash & SLOTS - 1];
    if (entry == null
        || entry.hash != hash
        || !Arrays.equals(entry.word, 0, entry.word.length, text, start, end)) {
      return false;
    }
    out.addAll(entry.ids);
    return true;
  }

  void remember(long hash, char[] text, int start, int end, int[] ids) {
    entries[(int) hash & SLOTS - 1] = new Entry(hash, Arrays.copyOfRange(text, start, end), ids);
  }
}
