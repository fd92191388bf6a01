package weft.backend;

import weft.ir.Slot;

/**
 * How the inputs of a draft's rows are kept, row behind row of float32: what a recurrent slot needs
 * to be moved on by those that are accepted, without the model.
 */
public final class KeptRows {
  private KeptRows() {}

  /** The floats of a row: all channels of a convolution, all heads of the delta rule. */
  public static long floats(Slot slot) {
    return switch (slot) {
      case Slot.KeyValue _ -> 0;
      case Slot.Conv c -> c.channels();
      case Slot.Delta d -> (long) d.heads() * headFloats(d);
    };
  }

  /** The floats of a head: its key, its value, decay and beta. */
  public static int headFloats(Slot.Delta slot) {
    return slot.keyDim() + slot.valueDim() + 2;
  }
}
