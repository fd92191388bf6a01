package weft.cpu.launch;

import weft.ir.Slot;

/**
 * A causal depthwise convolution bound to memory.
 *
 * @param byTap a row of weights a tap, oldest first, so that channels lie side by side
 */
public record Convolution(Slot.Conv slot, Rows2d x, float[] byTap, Rows2d result) {
  /** From weights as the model has them, a channel's taps behind each other. */
  public static Convolution of(Slot.Conv slot, Rows2d x, float[] weights, Rows2d result) {
    int taps = slot.taps() + 1;
    var byTap = new float[weights.length];
    for (int c = 0; c < slot.channels(); c++) {
      for (int t = 0; t < taps; t++) byTap[t * slot.channels() + c] = weights[c * taps + t];
    }
    return new Convolution(slot, x, byTap, result);
  }
}
