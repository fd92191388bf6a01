package weft.cpu.kernel.product;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * The argument block of products {@code out[token][row] = weights[row] · x[token]}.
 *
 * @param weights packed rows, one after the other
 * @param rowBytes the bytes of a packed row
 * @param k values in a row
 * @param x the activations: {@link Activations} rows for block formats, else floats
 * @param xBytes from one row of activations to the next
 * @param tokens rows of activations; a matrix-vector kernel takes the first alone
 * @param out floats
 * @param outBytes from one token's results to the next's
 */
public record MatMulArguments(
    MemorySegment weights,
    long rowBytes,
    long k,
    MemorySegment x,
    long xBytes,
    long tokens,
    MemorySegment out,
    long outBytes) {
  public static final long BYTES = 64;

  public static final int WEIGHTS = 0;
  public static final int ROW_BYTES = 8;
  public static final int K = 16;
  public static final int X = 24;
  public static final int X_BYTES = 32;
  public static final int TOKENS = 40;
  public static final int OUT = 48;
  public static final int OUT_BYTES = 56;

  /** Writes the block that kernels read. */
  public void write(MemorySegment block) {
    block.set(ADDRESS, WEIGHTS, weights);
    block.set(JAVA_LONG, ROW_BYTES, rowBytes);
    block.set(JAVA_LONG, K, k);
    block.set(ADDRESS, X, x);
    block.set(JAVA_LONG, X_BYTES, xBytes);
    block.set(JAVA_LONG, TOKENS, tokens);
    block.set(ADDRESS, OUT, out);
    block.set(JAVA_LONG, OUT_BYTES, outBytes);
  }
}
