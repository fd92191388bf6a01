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
 * @param added what a {@link MatMul} adds to its products
 */
public record MatMulArguments(
    PlainRows weights, long k, PlainRows x, long tokens, PlainRows out, Added added) {
  /**
   * What is added to products while they are in registers, first the one, then the other, as {@link
   * Finish} does; it lies in none of the other memory.
   *
   * @param bias floats, one for each row of weights
   * @param residual floats, a row a token
   */
  public record Added(MemorySegment bias, PlainRows residual) {
    static final Added NOTHING = new Added(MemorySegment.NULL, PlainRows.one(MemorySegment.NULL));
  }

  /** The products and nothing else, which every kernel gives. */
  public MatMulArguments(PlainRows weights, long k, PlainRows x, long tokens, PlainRows out) {
    this(weights, k, x, tokens, out, Added.NOTHING);
  }

  /** The same, for a kernel that adds to its products. */
  public MatMulArguments plus(MemorySegment bias, PlainRows residual) {
    return new MatMulArguments(weights, k, x, tokens, out, new Added(bias, residual));
  }

  private static final Layout<MatMulArguments> LAYOUT = new Layout<>();

  public static final int WEIGHTS = LAYOUT.part(PlainRows.LAYOUT, MatMulArguments::weights);
  public static final int ROW_BYTES = WEIGHTS + PlainRows.ROW_BYTES;
  public static final int K = LAYOUT.number(MatMulArguments::k);
  public static final int X = LAYOUT.part(PlainRows.LAYOUT, MatMulArguments::x);
  public static final int X_BYTES = X + PlainRows.ROW_BYTES;
  public static final int TOKENS = LAYOUT.number(MatMulArguments::tokens);
  public static final int OUT = LAYOUT.part(PlainRows.LAYOUT, MatMulArguments::out);
  public static final int OUT_BYTES = OUT + PlainRows.ROW_BYTES;

  /** Not zero where something is added. */
  public static final int ADDS = LAYOUT.number(a -> a.added == Added.NOTHING ? 0 : 1);

  static final int BIAS = LAYOUT.address(a -> a.added.bias);
  static final int RESIDUAL = LAYOUT.part(PlainRows.LAYOUT, a -> a.added.residual);
  static final int RESIDUAL_BYTES = RESIDUAL + PlainRows.ROW_BYTES;

  public static final long BYTES = LAYOUT.bytes();

  /** Writes the block that the kernels read. */
  public void write(MemorySegment block) {
    LAYOUT.write(this, block, 0);
  }
}
