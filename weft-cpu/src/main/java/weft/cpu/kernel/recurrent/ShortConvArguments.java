package weft.cpu.kernel.recurrent;

import java.lang.foreign.MemorySegment;
import weft.cpu.kernel.emit.Layout;
import weft.cpu.kernel.emit.PlainRows;

/**
 * The argument block of a causal depthwise convolution.
 *
 * @param x rows of channels
 * @param weights a row of channels a tap, the newest last
 * @param channels in a row; a state has as many for each tap but the newest, the oldest first
 * @param parts {@link RecurrentPart}s; a kept row has the channels' inputs
 * @param to the results
 */
public record ShortConvArguments(
    PlainRows x, MemorySegment weights, int channels, MemorySegment parts, PlainRows to) {
  private static final Layout<ShortConvArguments> LAYOUT = new Layout<>();

  static final int X = LAYOUT.part(PlainRows.LAYOUT, ShortConvArguments::x);
  static final int X_BYTES = X + PlainRows.ROW_BYTES;
  static final int WEIGHTS = LAYOUT.address(ShortConvArguments::weights);
  static final int CHANNEL_BYTES = LAYOUT.number(a -> (long) a.channels * Float.BYTES);
  static final int PARTS = LAYOUT.address(ShortConvArguments::parts);
  static final int TO = LAYOUT.part(PlainRows.LAYOUT, ShortConvArguments::to);
  static final int TO_BYTES = TO + PlainRows.ROW_BYTES;
  static final int PIECES = LAYOUT.number(ShortConvArguments::pieces);

  public static final long BYTES = LAYOUT.bytes();

  /** The units of this many parts. */
  public int units(int count) {
    return count * pieces();
  }

  private int pieces() {
    return Math.ceilDiv(channels, ShortConv.PIECE);
  }

  /** Writes the block that the kernel reads. */
  public void write(MemorySegment block) {
    LAYOUT.write(this, block, 0);
  }
}
