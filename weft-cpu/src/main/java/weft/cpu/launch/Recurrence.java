package weft.cpu.launch;

import weft.ir.Op;
import weft.ir.Slot;

/** A gated delta rule bound to memory. */
public record Recurrence(Slot.Delta slot, Op.Grouping grouping, Inputs in, Heads3d result) {
  /** What a head reads of each token. */
  public record Inputs(Heads3d q, Heads3d k, Heads3d v, Rows2d decay, Rows2d beta) {}

  /** The head of queries and keys that a head of values meets. */
  public int keyHead(int head) {
    int keyHeads = in.k.heads();
    return switch (grouping) {
      case BLOCKED -> head / (slot.heads() / keyHeads);
      case TILED -> head % keyHeads;
    };
  }
}
