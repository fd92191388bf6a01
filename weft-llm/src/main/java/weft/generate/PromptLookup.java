package weft.generate;

import java.util.Arrays;

/**
 * Drafts what followed the last time the text ended like this: free, and right wherever a reply
 * repeats its prompt or itself (code edits, summaries, lists).
 *
 * @param shortest the fewest tokens that must match; shorter matches guess more often and worse
 * @param longest the most tokens to match, tried first
 */
public record PromptLookup(int shortest, int longest) implements Drafter {
  public PromptLookup {
    if (shortest < 1 || longest < shortest) {
      throw new GenerateException(
          "prompt lookup matches 1 <= shortest <= longest tokens, got "
              + shortest
              + " and "
              + longest);
    }
  }

  public PromptLookup() {
    this(2, 4);
  }

  @Override
  public Drafting open(Tokens known) {
    return max -> propose(known, max);
  }

  private int[] propose(Tokens known, int max) {
    for (int size = Math.min(longest, known.length() - 1); size >= shortest && max > 0; size--) {
      int next = latestMatch(known, size);
      if (next >= 0) {
        return copy(known, next, max);
      }
    }
    return new int[0];
  }

  /** Where the text goes on after the latest earlier place that has its last tokens, or -1. */
  private static int latestMatch(Tokens known, int size) {
    int end = known.length();
    for (int next = end - 1; next >= size; next--) {
      int same = 0;
      while (same < size && known.at(next - 1 - same) == known.at(end - 1 - same)) {
        same++;
      }
      if (same == size) {
        return next;
      }
    }
    return -1;
  }

  /**
   * Copies on past the end into the draft itself, so that a loop of any length is guessed in full;
   * but never a picture, which no model says.
   */
  private static int[] copy(Tokens known, int from, int count) {
    int[] draft = new int[count];
    for (int i = 0; i < count; i++) {
      int index = from + i;
      draft[i] = index < known.length() ? known.at(index) : draft[index - known.length()];
      if (Album.isRow(draft[i])) return Arrays.copyOf(draft, i);
    }
    return draft;
  }
}
