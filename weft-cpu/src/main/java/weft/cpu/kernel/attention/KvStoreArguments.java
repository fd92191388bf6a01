package weft.cpu.kernel.attention;

import java.lang.foreign.MemorySegment;
import weft.cpu.kernel.emit.HeadRows;
import weft.cpu.kernel.emit.Layout;

/**
 * The argument block of the kernel that turns queries and keys and stores keys and values.
 *
 * @param q queries of the sequence's rows, {@code group} heads for each head of keys
 * @param k keys
 * @param v values
 * @param angles how queries and keys turn, or {@link RopeAngles#NONE}
 * @param scale what queries are multiplied by
 * @param part where keys and values go
 * @param queries where the queries go: rows of heads, packed
 */
public record KvStoreArguments(
    HeadRows q,
    HeadRows k,
    HeadRows v,
    HeadSizes heads,
    RopeAngles angles,
    float scale,
    KvPart part,
    MemorySegment queries) {
  private static final Layout<KvStoreArguments> LAYOUT = new Layout<>();

  static final int Q = LAYOUT.part(HeadRows.LAYOUT, KvStoreArguments::q);
  static final int K = LAYOUT.part(HeadRows.LAYOUT, KvStoreArguments::k);
  static final int V = LAYOUT.part(HeadRows.LAYOUT, KvStoreArguments::v);
  static final int KV_HEADS = LAYOUT.number(a -> a.heads.kvHeads());
  static final int GROUP = LAYOUT.number(a -> a.heads.group());
  static final int KEY_DIM = LAYOUT.number(a -> a.heads.keyDim());
  static final int VALUE_DIM = LAYOUT.number(a -> a.heads.valueDim());
  static final int ANGLES = LAYOUT.part(RopeAngles.LAYOUT, KvStoreArguments::angles);
  static final int QUERIES = LAYOUT.address(KvStoreArguments::queries);
  static final int QUERY_BYTES = LAYOUT.number(a -> a.heads.queryBytes());

  /** What the part of a query that turns is multiplied by, and the rest of it. */
  static final int Q_TURNED = LAYOUT.real(a -> a.angles.scale() * a.scale);

  static final int Q_REST = LAYOUT.real(KvStoreArguments::scale);
  static final int K_TURNED = LAYOUT.real(a -> a.angles.scale());
  static final int K_REST = LAYOUT.real(_ -> 1);
  static final int PART = LAYOUT.part(KvPart.LAYOUT, KvStoreArguments::part);

  public static final long BYTES = LAYOUT.bytes();

  /** The scratch that a worker needs: a key in floats. */
  public long scratchBytes() {
    return heads.queryBytes();
  }

  /** Writes to a block where keys and values go next. */
  public static void writePart(KvPart part, MemorySegment block) {
    part.writeMoved(block, PART);
  }

  /** Writes the block that the kernel reads. */
  public void write(MemorySegment block) {
    LAYOUT.write(this, block, 0);
  }
}
