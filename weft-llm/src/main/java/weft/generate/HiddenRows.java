package weft.generate;

import java.util.ArrayList;
import java.util.List;

/**
 * The rows that a text's tokens have in its model, kept until the head is fed them; without a gap.
 */
final class HiddenRows {
  /** Before every token: whatever comes first is a gap behind it. */
  private static final int NEVER = -1;

  private final List<float[]> kept = new ArrayList<>();
  private int first = NEVER;

  /**
   * Takes the rows of the tokens from {@code from} on: those that are here already are passed over.
   * Where rows are missing between, the earlier ones are of no use any more, and it begins anew
   * with these; it says so.
   */
  boolean add(int from, List<float[]> rows) {
    boolean isGap = from > end();
    if (isGap) {
      kept.clear();
      first = from;
    }
    int known = Math.min(end() - from, rows.size());
    kept.addAll(rows.subList(known, rows.size()));
    return isGap;
  }

  /** The row of this token and of those before it are not needed again. */
  void forget(int to) {
    kept.subList(0, to - first).clear();
    first = to;
  }

  /** Forgets all: the next rows, wherever they begin, are the first. */
  void clear() {
    kept.clear();
    first = NEVER;
  }

  /** The rows of the tokens from one up to before another. */
  List<float[]> of(int from, int to) {
    return List.copyOf(kept.subList(from - first, to - first));
  }

  /** The first token whose row is still to come. */
  int end() {
    return first + kept.size();
  }
}
