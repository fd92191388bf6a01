package weft.cpu.kernel.attention;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * The argument block of the attention of a sequence's rows. A unit of work is a head of keys and
 * values, of it one of {@code splits} equal shares of the queries that read it, of them a block of
 * rows. So workers share the heads: later rows of a prompt see more than earlier ones, and what one
 * head keeps stays in a worker's cache.
 *
 * @param queries rows of heads, packed, rotated and scaled
 * @param kvHeads heads of keys and values
 * @param group query heads that share one of them
 * @param splits shares of a group, where there are more workers than heads; at most {@code group}
 * @param keyDim floats in a query, a multiple of the stored blocks and of 16
 * @param valueDim floats in a value and in a result, likewise
 * @param softCap where the products are capped softly, or 0
 * @param rowCount how many rows
 * @param blockRows rows of a block: one, or up to what {@link #mostRows} says
 * @param part the keys and values that they see
 * @param out the results, floats, the heads of a row one after the other
 * @param outBytes from one row of results to the next
 */
public record AttendArguments(
    MemorySegment queries,
    int kvHeads,
    int group,
    int splits,
    int keyDim,
    int valueDim,
    float softCap,
    int rowCount,
    int blockRows,
    KvPart part,
    MemorySegment out,
    long outBytes) {
  public static final long BYTES = 168;

  static final int QUERIES = 0;
  static final int QUERY_ROW_BYTES = 8;
  static final int GROUP = 16;
  static final int SPLITS = 24;
  static final int ROW_COUNT = 32;
  static final int KEY_DIM = 40;
  static final int VALUE_DIM = 48;
  static final int OUT = 56;
  static final int OUT_BYTES = 64;

  /** The soft cap and its inverse, as a unit's block has them. */
  static final int CAPS = 72;

  static final int BLOCKS = 80;
  static final int BLOCK_ROWS = 88;
  static final int PART = 96;

  /**
   * The most rows that a block of the kernel of many takes, none where they have too many heads.
   */
  public static int mostRows(int group, int splits) {
    return ManyLayout.MOST_QUERIES / Math.ceilDiv(group, splits);
  }

  private int blocks() {
    return Math.ceilDiv(rowCount, blockRows);
  }

  public int units() {
    return blocks() * kvHeads * splits;
  }

  public long scratchBytes() {
    return scratchBytes(part);
  }

  /** What a worker needs: for single rows the scores of all positions that one sees of a part. */
  public long scratchBytes(KvPart seen) {
    return blockRows > 1
        ? ManyLayout.bytes(keyDim, valueDim)
        : AttendUnit.BYTES + AttendRows.MOST_HEADS * AttendUnit.scoreBytes(seen.seen(rowCount));
  }

  /** Writes to a block where the keys and values are after their sequence has moved on. */
  public static void writePart(KvPart part, MemorySegment block) {
    part.write(block, PART);
  }

  /** Writes the block that the kernel reads. */
  public void write(MemorySegment block) {
    block.set(ADDRESS, QUERIES, queries);
    block.set(JAVA_LONG, QUERY_ROW_BYTES, (long) kvHeads * group * keyDim * Float.BYTES);
    block.set(JAVA_LONG, GROUP, group);
    block.set(JAVA_LONG, SPLITS, splits);
    block.set(JAVA_LONG, ROW_COUNT, rowCount);
    block.set(JAVA_LONG, KEY_DIM, keyDim);
    block.set(JAVA_LONG, VALUE_DIM, valueDim);
    block.set(ADDRESS, OUT, out);
    block.set(JAVA_LONG, OUT_BYTES, outBytes);
    // Compared as bits: minus zero is none too.
    block.set(JAVA_FLOAT, CAPS, softCap + 0f);
    block.set(JAVA_FLOAT, CAPS + Float.BYTES, softCap == 0 ? 0 : 1 / softCap);
    block.set(JAVA_LONG, BLOCKS, blocks());
    block.set(JAVA_LONG, BLOCK_ROWS, blockRows);
    part.write(block, PART);
  }
}
