package weft.generate;

import java.util.LinkedHashMap;
import java.util.Objects;
import java.util.SequencedMap;

/**
 * Numbers the pictures that a model has seen, by the whole of what they show: who shows the same
 * again gets the same number, and two that differ never share one. It remembers the last few
 * thousand; one that was forgotten is a new one. Safe for all threads.
 */
public final class Gallery {
  /** A picture more than that ago begins no text that is still kept. */
  static final int MOST_KNOWN = 4096;

  private final SequencedMap<String, Integer> known =
      new LinkedHashMap<>(16, 0.75f, true); // guarded by itself
  private int last; // guarded by known

  /**
   * What is seen of a picture.
   *
   * @param content a hash of its pixels and of how they were made ready, that none can forge
   */
  public Seen seen(String content, Seen.Grid grid, Seen.Rows rows, Seen.Manner manner) {
    return new Seen(this, id(content), grid, rows, manner);
  }

  private int id(String content) {
    Objects.requireNonNull(content, "content");
    synchronized (known) {
      Integer had = known.get(content);
      if (had != null) return had;
      if (last == Integer.MIN_VALUE) {
        throw new GenerateException(
            "the model has seen 2^31 pictures, and has no numbers for more; load it again");
      }
      known.put(content, --last);
      if (known.size() > MOST_KNOWN) known.pollFirstEntry();
      return last;
    }
  }
}
