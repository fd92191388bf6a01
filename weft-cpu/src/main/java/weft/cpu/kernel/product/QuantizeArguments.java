package weft.cpu.kernel.product;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * The argument block of the kernel that turns rows of floats into {@link Activations}.
 *
 * @param from floats
 * @param fromBytes from one row of floats to the next
 * @param layout of the rows of {@code to}
 * @param to the activations
 */
public record QuantizeArguments(
    MemorySegment from, long fromBytes, Activations layout, MemorySegment to) {
  public static final long BYTES = 40;

  static final int FROM = 0;
  static final int FROM_BYTES = 8;
  static final int K = 16;
  static final int TO = 24;
  static final int TO_BYTES = 32;

  /** Writes the block that the kernel reads. */
  public void write(MemorySegment block) {
    block.set(ADDRESS, FROM, from);
    block.set(JAVA_LONG, FROM_BYTES, fromBytes);
    block.set(JAVA_LONG, K, layout.k());
    block.set(ADDRESS, TO, to);
    block.set(JAVA_LONG, TO_BYTES, layout.rowBytes());
  }
}
