package weft.cpu.kernel.experts;

import java.lang.foreign.MemorySegment;
import weft.cpu.kernel.emit.Layout;
import weft.cpu.kernel.emit.PlainRows;

/**
 * The argument block of {@link ExpertProducts}.
 *
 * @param weights the address of each expert's packed rows; zero where it is not this call's
 * @param kernels what multiplies 1, 2, .. rows, and at the end any number of them; those of more
 *     than {@code rows} are never called
 * @param starts {@link RouteTables#starts}
 * @param experts how many there are
 * @param rows the most that use one expert
 * @param rowBytes the bytes of a packed row
 * @param k values in a row
 * @param x activations in the order of experts
 * @param out floats, in the same order
 */
public record ExpertProductsArguments(
    MemorySegment weights,
    MemorySegment kernels,
    MemorySegment starts,
    int experts,
    int rows,
    long rowBytes,
    long k,
    PlainRows x,
    PlainRows out) {
  private static final Layout<ExpertProductsArguments> LAYOUT = new Layout<>();

  static final int WEIGHTS = LAYOUT.address(ExpertProductsArguments::weights);
  static final int KERNELS = LAYOUT.address(ExpertProductsArguments::kernels);
  static final int STARTS = LAYOUT.address(ExpertProductsArguments::starts);
  static final int EXPERTS = LAYOUT.number(ExpertProductsArguments::experts);
  static final int ROW_BYTES = LAYOUT.number(ExpertProductsArguments::rowBytes);
  static final int K = LAYOUT.number(ExpertProductsArguments::k);
  static final int X = LAYOUT.part(PlainRows.LAYOUT, ExpertProductsArguments::x);
  static final int X_BYTES = X + PlainRows.ROW_BYTES;
  static final int OUT = LAYOUT.part(PlainRows.LAYOUT, ExpertProductsArguments::out);
  static final int OUT_BYTES = OUT + PlainRows.ROW_BYTES;
  static final int ROWS = LAYOUT.number(ExpertProductsArguments::rows);

  public static final long BYTES = LAYOUT.bytes();

  /** Numbers of rows that have a kernel of their own; more have the last. */
  public static final int KERNEL_COUNT = 17;

  /** Writes the block that the kernel reads. */
  public void write(MemorySegment block) {
    LAYOUT.write(this, block, 0);
  }
}
