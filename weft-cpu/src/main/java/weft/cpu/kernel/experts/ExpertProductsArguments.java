package weft.cpu.kernel.experts;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * The argument block of {@link ExpertProducts}.
 *
 * @param weights the address of each expert's packed rows
 * @param kernels what multiplies 1, 2, .. rows, and at the end any number of them; those of more
 *     than {@code rows} are never called
 * @param starts {@link RouteTables#starts}
 * @param experts how many there are
 * @param rows the most that use one expert
 * @param rowBytes the bytes of a packed row
 * @param k values in a row
 * @param x activations in the order of experts
 * @param xBytes from one row of activations to the next
 * @param out floats, in the same order
 * @param outBytes from one row of results to the next
 */
public record ExpertProductsArguments(
    MemorySegment weights,
    MemorySegment kernels,
    MemorySegment starts,
    int experts,
    int rows,
    long rowBytes,
    long k,
    MemorySegment x,
    long xBytes,
    MemorySegment out,
    long outBytes) {
  public static final long BYTES = 88;

  /** Numbers of rows that have a kernel of their own; more have the last. */
  public static final int KERNEL_COUNT = 17;

  static final int WEIGHTS = 0;
  static final int KERNELS = 8;
  static final int STARTS = 16;
  static final int EXPERTS = 24;
  static final int ROW_BYTES = 32;
  static final int K = 40;
  static final int X = 48;
  static final int X_BYTES = 56;
  static final int OUT = 64;
  static final int OUT_BYTES = 72;
  static final int ROWS = 80;

  /** Writes the block that the kernel reads. */
  public void write(MemorySegment block) {
    block.set(ADDRESS, WEIGHTS, weights);
    block.set(ADDRESS, KERNELS, kernels);
    block.set(ADDRESS, STARTS, starts);
    block.set(JAVA_LONG, EXPERTS, experts);
    block.set(JAVA_LONG, ROW_BYTES, rowBytes);
    block.set(JAVA_LONG, K, k);
    block.set(ADDRESS, X, x);
    block.set(JAVA_LONG, X_BYTES, xBytes);
    block.set(ADDRESS, OUT, out);
    block.set(JAVA_LONG, OUT_BYTES, outBytes);
    block.set(JAVA_LONG, ROWS, rows);
  }
}
