package weft.cpu.kernel.recurrent;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * The argument block of a causal depthwise convolution.
 *
 * @param x rows of channels
 * @param xBytes from one row to the next
 * @param weights a row of channels a tap, the newest last
 * @param channels in a row; a state has as many for each tap but the newest, the oldest first
 * @param parts {@link RecurrentPart}s; a kept row has the channels' inputs
 * @param to the results
 * @param toBytes from one row of them to the next
 */
public record ShortConvArguments(
    MemorySegment x,
    long xBytes,
    MemorySegment weights,
    int channels,
    MemorySegment parts,
    MemorySegment to,
    long toBytes) {
  public static final long BYTES = 64;

  static final int X = 0;
  static final int X_BYTES = 8;
  static final int WEIGHTS = 16;
  static final int CHANNEL_BYTES = 24;
  static final int PARTS = 32;
  static final int TO = 40;
  static final int TO_BYTES = 48;
  static final int PIECES = 56;

  /** The units of this many parts. */
  public int units(int parts) {
    return parts * pieces();
  }

  private int pieces() {
    return (channels + ShortConv.PIECE - 1) / ShortConv.PIECE;
  }

  /** Writes the block that the kernel reads. */
  public void write(MemorySegment block) {
    block.set(ADDRESS, X, x);
    block.set(JAVA_LONG, X_BYTES, xBytes);
    block.set(ADDRESS, WEIGHTS, weights);
    block.set(JAVA_LONG, CHANNEL_BYTES, (long) channels * Float.BYTES);
    block.set(ADDRESS, PARTS, parts);
    block.set(ADDRESS, TO, to);
    block.set(JAVA_LONG, TO_BYTES, toBytes);
    block.set(JAVA_LONG, PIECES, pieces());
  }
}
