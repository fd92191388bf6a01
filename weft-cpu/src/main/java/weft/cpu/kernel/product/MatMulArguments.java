package weft.cpu.kernel.product;

import java.lang.foreign.MemorySegment;
import weft.cpu.kernel.emit.Layout;
import weft.cpu.kernel.emit.PlainRows;

/**
 * The argument block of products {@code out[token][row] = weights[row] · x[token]}.
 *
 * @param weights packed rows
 * @param k values in a row
 * @param x the activations: {@link Activations} rows for block formats, else floats
 * @param tokens rows of activations; a matrix-vector kernel takes the first alone
 * @param out floats, a row a token
 */
public record MatMulArguments(PlainRows weights, long k, PlainRows x, long tokens, PlainRows out) {
  private static final Layout<MatMulArguments> LAYOUT = new Layout<>();

  public static final int WEIGHTS = LAYOUT.part(PlainRows.LAYOUT, MatMulArguments::weights);
  public static final int ROW_BYTES = WEIGHTS + PlainRows.ROW_BYTES;
  public static final int K = LAYOUT.number(MatMulArguments::k);
  public static final int X = LAYOUT.part(PlainRows.LAYOUT, MatMulArguments::x);
  public static final int X_BYTES = X + PlainRows.ROW_BYTES;
  public static final int TOKENS = LAYOUT.number(MatMulArguments::tokens);
  public static final int OUT = LAYOUT.part(PlainRows.LAYOUT, MatMulArguments::out);
  public static final int OUT_BYTES = OUT + PlainRows.ROW_BYTES;

  public static final long BYTES = LAYOUT.bytes();

  /** Writes the block that the kernels read. */
  public void write(MemorySegment block) {
    LAYOUT.write(this, block, 0);
  }
}
