package weft.backend;

/**
 * One row of an output as the last run left it, wherever that is; it holds until the next run. A
 * vocabulary's logits are long, and choosing a token needs few of them: the device finds those, and
 * copies the whole row for who asks.
 */
public interface OutputRow {
  int size();

  /** Whether every element is a finite number. */
  boolean isFinite();

  /**
   * Writes the greatest elements' indexes and values to the front of two arrays, greatest first and
   * the lowest index first among equals, and gives how many there were: as many as asked for, or
   * the whole row. Of a row that is not finite, those that are no numbers are left out.
   */
  int greatest(int count, int[] indexes, float[] values);

  /** Copies all elements. */
  void copyTo(float[] to);
}
