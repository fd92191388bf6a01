package weft.net;

import weft.ir.Slot;

/** How queries meet keys: the scale of their products, a soft cap where positive, a window. */
public record Attention(double scale, double softCap, int window) {
  /** All earlier tokens, scaled as usual for heads of this size. */
  public static Attention full(int headDim) {
    return new Attention(1 / Math.sqrt(headDim), 0, Slot.UNBOUNDED);
  }

  public Attention scaled(double by) {
    return new Attention(by, softCap, window);
  }

  public Attention capped(double at) {
    return new Attention(scale, at, window);
  }

  /** Only the last {@code tokens}, the row's own included. */
  public Attention within(int tokens) {
    if (tokens < 1)
      throw new ModelException("an attention window of " + tokens + " tokens sees nothing");
    return new Attention(scale, softCap, tokens);
  }
}
