package weft.cpu.kernel.recurrent;

import java.lang.foreign.MemorySegment;
import weft.cpu.kernel.emit.HeadRows;
import weft.cpu.kernel.emit.Layout;

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
  private static final Layout<DeltaRuleArguments> LAYOUT = new Layout<>();

  static final int Q = LAYOUT.part(HeadRows.LAYOUT, DeltaRuleArguments::q);
  static final int K = LAYOUT.part(HeadRows.LAYOUT, DeltaRuleArguments::k);
  static final int V = LAYOUT.part(HeadRows.LAYOUT, DeltaRuleArguments::v);
  static final int DECAY = LAYOUT.part(HeadRows.LAYOUT, DeltaRuleArguments::decay);
  static final int BETA = LAYOUT.part(HeadRows.LAYOUT, DeltaRuleArguments::beta);
  static final int TO = LAYOUT.part(HeadRows.LAYOUT, DeltaRuleArguments::to);
  static final int HEADS = LAYOUT.number(DeltaRuleArguments::heads);
  static final int KEY_HEADS = LAYOUT.address(DeltaRuleArguments::keyHeads);
  static final int KEY_BYTES = LAYOUT.number(a -> bytes(a.keyDim));
  static final int VALUE_BYTES = LAYOUT.number(a -> bytes(a.valueDim));
  static final int PARTS = LAYOUT.address(DeltaRuleArguments::parts);
  static final int STATE_BYTES = LAYOUT.number(a -> a.keyDim * bytes(a.valueDim));
  static final int KEPT_BYTES = LAYOUT.number(a -> bytes(keptFloats(a.keyDim, a.valueDim)));

  public static final long BYTES = LAYOUT.bytes();

  private static long bytes(int floats) {
    return (long) floats * Float.BYTES;
  }

  /** What a kept row has of a head. */
  public static int keptFloats(int keyDim, int valueDim) {
    return keyDim + valueDim + 2;
  }

  /** A head's state as a draft leaves it, and what is read of it in making up for kept rows. */
  public long scratchBytes() {
    return (keyDim + 1) * bytes(valueDim);
  }

  /** The units of this many parts. */
  public int units(int count) {
    return count * heads;
  }

  /** Writes the block that the kernel reads. */
  public void write(MemorySegment block) {
    LAYOUT.write(this, block, 0);
  }
}
