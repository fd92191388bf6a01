package weft.cpu.kernel.recurrent;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import weft.cpu.kernel.emit.HeadRows;

/**
 * The argument block of the gated delta rule.
 *
 * @param q queries, a head of {@code keyDim} for each head of keys
 * @param k keys
 * @param v values, a head of {@code valueDim} for each head
 * @param decay one number a head
 * @param beta one number a head
 * @param heads of values, and of the state
 * @param keyHeads for each of them the head of keys it reads, as 32-bit numbers
 * @param keyDim floats in a key
 * @param valueDim floats in a value
 * @param parts {@link RecurrentPart}s; a state has {@code keyDim} rows of {@code valueDim} a head,
 *     a kept row {@link #keptFloats} a head: its key, its value, decay and beta
 * @param to the results, a head of {@code valueDim} for each head
 */
public record DeltaRuleArguments(
    HeadRows q,
    HeadRows k,
    HeadRows v,
    HeadRows decay,
    HeadRows beta,
    int heads,
    MemorySegment keyHeads,
    int keyDim,
    int valueDim,
    MemorySegment parts,
    HeadRows to) {
  public static final long BYTES = 200;

  static final int Q = 0;
  static final int K = Q + HeadRows.BYTES;
  static final int V = K + HeadRows.BYTES;
  static final int DECAY = V + HeadRows.BYTES;
  static final int BETA = DECAY + HeadRows.BYTES;
  static final int TO = BETA + HeadRows.BYTES;
  static final int HEADS = TO + HeadRows.BYTES;
  static final int KEY_HEADS = 152;
  static final int KEY_BYTES = 160;
  static final int VALUE_BYTES = 168;
  static final int PARTS = 176;
  static final int STATE_BYTES = 184;
  static final int KEPT_BYTES = 192;

  /** What a kept row has of a head. */
  public static int keptFloats(int keyDim, int valueDim) {
    return keyDim + valueDim + 2;
  }

  /** The columns of a head's state that the kernel has in hand. */
  public long scratchBytes() {
    return DeltaRule.packedBytes(keyDim);
  }

  /** The units of this many parts. */
  public int units(int count) {
    return count * heads;
  }

  /** Writes the block that the kernel reads. */
  public void write(MemorySegment block) {
    q.write(block, Q);
    k.write(block, K);
    v.write(block, V);
    decay.write(block, DECAY);
    beta.write(block, BETA);
    to.write(block, TO);
    block.set(JAVA_LONG, HEADS, heads);
    block.set(ADDRESS, KEY_HEADS, keyHeads);
    block.set(JAVA_LONG, KEY_BYTES, (long) keyDim * Float.BYTES);
    block.set(JAVA_LONG, VALUE_BYTES, (long) valueDim * Float.BYTES);
    block.set(ADDRESS, PARTS, parts);
    block.set(JAVA_LONG, STATE_BYTES, (long) keyDim * valueDim * Float.BYTES);
    block.set(JAVA_LONG, KEPT_BYTES, (long) keptFloats(keyDim, valueDim) * Float.BYTES);
  }
}
