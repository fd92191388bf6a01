package weft.cpu.launch;

import java.util.Optional;
import weft.ir.Op;
import weft.ir.Slot;

/**
 * An attention bound to memory.
 *
 * @param turn how queries and keys turn on their way in, where they do
 */
public record Attention(
    Slot.KeyValue slot,
    Op.Scores scores,
    Heads3d q,
    Heads3d k,
    Heads3d v,
    Optional<Turn> turn,
    Rows2d result) {
  /** The query heads that share a head of keys and values. */
  public int group() {
    return q.heads() / slot.heads();
  }
}
