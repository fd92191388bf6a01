package weft.cpu.kernel;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * The argument block of attention for one row and some query heads that share one head of keys and
 * values. The positions lie in one run, or in two where a ring of them wraps.
 *
 * @param heads query heads
 * @param q their queries, floats, rotated and scaled, one after the other
 * @param keyDim values in a query and in a key, a multiple of 16
 * @param valueDim values in a value and in a result, a multiple of 16
 * @param first the first run of positions
 * @param second the second, of none where there is no wrap
 * @param keyBytes from one position's key to the next; three rows behind each run are readable
 * @param valueBytes from one position's value to the next
 * @param softCap where the products are capped softly, or 0
 * @param scores room for {@link #scoreBytes} a head
 * @param out the results, floats, one head after the other
 */
public record AttendArguments(
    int heads,
    MemorySegment q,
    int keyDim,
    int valueDim,
    Run first,
    Run second,
    long keyBytes,
    long valueBytes,
    float softCap,
    MemorySegment scores,
    MemorySegment out) {
  public static final long BYTES = 128;

  static final int Q = 0;
  static final int KEY_DIM = 8;
  static final int FIRST = 16;
  static final int SECOND = 40;
  static final int KEYS = 0;
  static final int VALUES = 8;
  static final int COUNT = 16;
  static final int KEY_BYTES = 64;
  static final int VALUE_BYTES = 72;
  static final int OUT = 80;
  static final int VALUE_DIM = 88;
  static final int SCORES = 96;
  static final int SCORE_BYTES = 104;
  static final int SOFT_CAP = 112;
  static final int INVERSE_CAP = 116;
  static final int HEADS = 120;

  /** Positions that lie one after the other. */
  public record Run(MemorySegment keys, MemorySegment values, long count) {
    public static final Run NONE = new Run(MemorySegment.NULL, MemorySegment.NULL, 0);

    void write(MemorySegment block, long at) {
      block.set(ADDRESS, at + KEYS, keys);
      block.set(ADDRESS, at + VALUES, values);
      block.set(JAVA_LONG, at + COUNT, count);
    }
  }

  /** The bytes of scores that a head needs for this many positions, with a vector behind them. */
  public static long scoreBytes(long positions) {
    return (positions * Float.BYTES + 2 * 64 - 1) / 64 * 64 + 64;
  }

  /** Writes the block that the kernel reads. */
  public void write(MemorySegment block) {
    block.set(ADDRESS, Q, q);
    block.set(JAVA_LONG, KEY_DIM, keyDim);
    first.write(block, FIRST);
    second.write(block, SECOND);
    block.set(JAVA_LONG, KEY_BYTES, keyBytes);
    block.set(JAVA_LONG, VALUE_BYTES, valueBytes);
    block.set(ADDRESS, OUT, out);
    block.set(JAVA_LONG, VALUE_DIM, valueDim);
    block.set(ADDRESS, SCORES, scores);
    block.set(JAVA_LONG, SCORE_BYTES, scoreBytes(first.count + second.count));
    block.set(JAVA_FLOAT, SOFT_CAP, softCap);
    block.set(JAVA_FLOAT, INVERSE_CAP, softCap == 0 ? 0 : 1 / softCap);
    block.set(JAVA_LONG, HEADS, heads);
  }
}
