package weft.cpu.kernel.attention;

import java.lang.foreign.MemorySegment;
import weft.cpu.kernel.emit.KernelException;
import weft.cpu.kernel.emit.Layout;
import weft.cpu.kernel.emit.PlainRows;

/**
 * The argument block of the attention of a sequence's rows. A unit of work is a head of keys and
 * values, of it one of {@code splits} equal shares of the queries that read it, of them a block of
 * rows. So workers share the heads: later rows of a prompt see more than earlier ones, and what one
 * head keeps stays in a worker's cache. Blocks begin at multiples of their size in the sequence,
 * not at the first row, so that none reaches over a page and a row is in the same block of whatever
 * rows. Rows that all see each other see the same pages full, whichever block they are in, so their
 * blocks may reach over pages: what is unpacked then serves more of them.
 *
 * @param queries rows of heads, packed, rotated and scaled
 * @param splits shares of a group, where there are more workers than heads; at most the group
 * @param softCap where the products are capped softly, or 0
 * @param rowCount how many rows
 * @param blockRows rows of a block: one, or what {@link #blockRows} or, where each row sees all of
 *     them, {@link #togetherRows} says
 * @param part the keys and values that they see
 * @param out the results, floats, the heads of a row one after the other
 */
public record AttendArguments(
    MemorySegment queries,
    HeadSizes heads,
    int splits,
    float softCap,
    int rowCount,
    int blockRows,
    KvPart part,
    PlainRows out) {
  public AttendArguments {
    boolean areTogether = part.reach() >= part.position() + rowCount - 1;
    int most =
        areTogether ? Math.max(KvPart.POSITIONS, togetherRows(heads, splits)) : KvPart.POSITIONS;
    if (Integer.bitCount(blockRows) != 1 || blockRows > most) {
      throw new KernelException(
          "blocks of %d rows: want a power of two up to %d".formatted(blockRows, most));
    }
  }

  private static final Layout<AttendArguments> LAYOUT = new Layout<>();

  static final int QUERIES = LAYOUT.address(AttendArguments::queries);
  static final int QUERY_ROW_BYTES = LAYOUT.number(a -> a.heads.queryRowBytes());
  static final int GROUP = LAYOUT.number(a -> a.heads.group());
  static final int SPLITS = LAYOUT.number(AttendArguments::splits);
  static final int ROW_COUNT = LAYOUT.number(AttendArguments::rowCount);
  static final int KEY_DIM = LAYOUT.number(a -> a.heads.keyDim());
  static final int VALUE_DIM = LAYOUT.number(a -> a.heads.valueDim());
  static final int OUT = LAYOUT.part(PlainRows.LAYOUT, AttendArguments::out);
  static final int OUT_BYTES = OUT + PlainRows.ROW_BYTES;
  static final int BLOCKS = LAYOUT.number(AttendArguments::blocks);
  static final int BLOCK_ROWS = LAYOUT.number(AttendArguments::blockRows);

  /** The queries of a block, in whole tiles. */
  static final int ROOM = LAYOUT.number(a -> ManyLayout.inTiles(a.blockQueries()));

  static final int PART = LAYOUT.part(KvPart.LAYOUT, AttendArguments::part);

  /** The soft cap and its inverse, as a unit's block has them. */
  static final int CAPS = LAYOUT.part(Caps.LAYOUT, a -> new Caps(a.softCap));

  public static final long BYTES = LAYOUT.bytes();

  /** A soft cap, compared as bits: minus zero is none too. */
  private record Caps(float cap) {
    static final Layout<Caps> LAYOUT = new Layout<>();

    static {
      LAYOUT.real(caps -> caps.cap + 0f);
      LAYOUT.real(caps -> caps.cap == 0 ? 0 : 1 / caps.cap);
    }
  }

  /**
   * The rows of a block of the kernel of many: as many as its queries have room for. One, which is
   * the other kernel's, where two have too many heads.
   */
  public static int blockRows(int group, int splits) {
    int most = ManyLayout.MOST_QUERIES / Math.ceilDiv(group, splits);
    return Math.clamp(Integer.highestOneBit(most), 1, KvPart.POSITIONS);
  }

  /** The same where all rows see each other, up to the last. */
  public static int togetherRows(HeadSizes heads, int splits) {
    int most = ManyLayout.mostTogether(heads.keyDim(), heads.valueDim());
    int together = Integer.highestOneBit(most / Math.ceilDiv(heads.group(), splits));
    return Math.max(blockRows(heads.group(), splits), together);
  }

  private int blockQueries() {
    return blockRows * Math.ceilDiv(heads.group(), splits);
  }

  /** As many as rows may be cut in, wherever they begin; the last may have none. */
  private int blocks() {
    return Math.ceilDiv(rowCount + blockRows - 1, blockRows);
  }

  public int units() {
    return blocks() * heads.kvHeads() * splits;
  }

  public long scratchBytes() {
    return scratchBytes(part);
  }

  /** What a worker needs: for single rows the scores of all positions that one sees of a part. */
  public long scratchBytes(KvPart seen) {
    return blockRows > 1
        ? ManyLayout.bytes(heads.keyDim(), heads.valueDim(), blockQueries())
        : AttendUnit.BYTES + AttendRows.MOST_HEADS * AttendUnit.scoreBytes(seen.seen(rowCount));
  }

  /** Writes to a block where the keys and values are after their sequence has moved on. */
  public static void writePart(KvPart part, MemorySegment block) {
    part.writeMoved(block, PART);
  }

  /** Writes the block that the kernel reads. */
  public void write(MemorySegment block) {
    LAYOUT.write(this, block, 0);
  }
}
