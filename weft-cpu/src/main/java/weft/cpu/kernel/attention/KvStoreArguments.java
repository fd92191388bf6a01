package weft.cpu.kernel.attention;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import weft.cpu.kernel.emit.HeadRows;

/**
 * The argument block of the kernel that turns queries and keys and stores keys and values.
 *
 * @param q queries of the sequence's rows, {@code group} heads for each head of keys
 * @param k keys
 * @param v values
 * @param kvHeads heads of keys and values
 * @param group query heads that share one of them
 * @param keyDim floats in a query and in a key, a multiple of the stored blocks and of 16
 * @param valueDim floats in a value, likewise
 * @param angles how queries and keys turn, or {@link RopeAngles#NONE}
 * @param scale what queries are multiplied by
 * @param part where keys and values go
 * @param queries where the queries go: rows of heads, packed
 */
public record KvStoreArguments(
    HeadRows q,
    HeadRows k,
    HeadRows v,
    int kvHeads,
    int group,
    int keyDim,
    int valueDim,
    RopeAngles angles,
    float scale,
    KvPart part,
    MemorySegment queries) {
  public static final long BYTES = 240;

  static final int Q = 0;
  static final int K = Q + HeadRows.BYTES;
  static final int V = K + HeadRows.BYTES;
  static final int KV_HEADS = V + HeadRows.BYTES;
  static final int GROUP = 80;
  static final int KEY_DIM = 88;
  static final int VALUE_DIM = 96;
  static final int ANGLES = 104;
  static final int QUERIES = 136;
  static final int Q_TURNED = 144;
  static final int Q_REST = 148;
  static final int K_TURNED = 152;
  static final int K_REST = 156;
  static final int QUERY_BYTES = 160;
  static final int PART = 168;

  /** The scratch that a worker needs: a key in floats. */
  public long scratchBytes() {
    return (long) keyDim * Float.BYTES;
  }

  /** Writes to a block where keys and values go next. */
  public static void writePart(KvPart part, MemorySegment block) {
    part.write(block, PART);
  }

  /** Writes the block that the kernel reads. */
  public void write(MemorySegment block) {
    q.write(block, Q);
    k.write(block, K);
    v.write(block, V);
    block.set(JAVA_LONG, KV_HEADS, kvHeads);
    block.set(JAVA_LONG, GROUP, group);
    block.set(JAVA_LONG, KEY_DIM, keyDim);
    block.set(JAVA_LONG, VALUE_DIM, valueDim);
    angles.write(block, ANGLES);
    block.set(ADDRESS, QUERIES, queries);
    block.set(JAVA_FLOAT, Q_TURNED, angles.scale() * scale);
    block.set(JAVA_FLOAT, Q_REST, scale);
    block.set(JAVA_FLOAT, K_TURNED, angles.scale());
    block.set(JAVA_FLOAT, K_REST, 1);
    block.set(JAVA_LONG, QUERY_BYTES, (long) keyDim * Float.BYTES);
    part.write(block, PART);
  }
}
