package weft.backend;

import weft.ir.Slot;
import weft.quant.Encoding;

/**
 * How a page holds {@link #POSITIONS} positions of an attention slot: for each head its keys,
 * position behind position, then for each head its values.
 *
 * @param encoding of keys and values
 */
public record KvLayout(Slot.KeyValue slot, Encoding encoding) {
  /** As many as attention of many rows unpacks at a time. */
  public static final int POSITIONS = 64;

  /** Readable, meaningless keys behind the last, for kernels that score positions in fours. */
  public static final int KEYS_BEHIND = 3;

  /** A head that is not whole blocks stays in float32 rather than fail. */
  public static KvLayout of(Slot.KeyValue slot, KvType type) {
    boolean fits =
        slot.keyDim() % type.encoding().blockValues() == 0
            && slot.valueDim() % type.encoding().blockValues() == 0;
    return new KvLayout(slot, fits ? type.encoding() : KvType.F32.encoding());
  }

  /** The pages that hold so many positions from the first on. */
  static int pages(int positions) {
    return Math.ceilDiv(positions, POSITIONS);
  }

  /** The bytes of one head's key. */
  public long keyBytes() {
    return encoding.bytes(slot.keyDim());
  }

  public long valueBytes() {
    return encoding.bytes(slot.valueDim());
  }

  /** From one head's keys to the next one's. */
  public long keyHeadBytes() {
    return POSITIONS * keyBytes();
  }

  public long valueHeadBytes() {
    return POSITIONS * valueBytes();
  }

  /** Where in a page the values begin. */
  public long valuesAt() {
    return slot.heads() * keyHeadBytes();
  }

  /** Where in its page a position's key of a head lies. */
  public long keyAt(int head, int position) {
    return head * keyHeadBytes() + position % POSITIONS * keyBytes();
  }

  public long valueAt(int head, int position) {
    return valuesAt() + head * valueHeadBytes() + position % POSITIONS * valueBytes();
  }

  /** The bytes of a page. */
  public long pageBytes() {
    return valuesAt() + Math.max(slot.heads() * valueHeadBytes(), KEYS_BEHIND * keyBytes());
  }
}
