package weft.cpu.kernel.emit;

import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.VBROADCASTSS;
import static weft.cpu.asm.VectorOp.VDIVPS;
import static weft.cpu.asm.VectorOp.VMAXPS;
import static weft.cpu.asm.VectorOp.VMULPS;
import static weft.cpu.asm.VectorOp.VSQRTPS;

import weft.cpu.asm.Vec;

/**
 * Some numbers as words under one scale, by which their length, the root of the sum of their
 * squares, is the greatest word. So each of them is a word, and no sum of products with words of
 * such a length, or part of one, is greater than the product of the lengths: 30 bits. Of 64 numbers
 * of like size, one has some 4100 levels, where a half float has 1024 to 2048.
 *
 * <p>What is no number makes the scale none, so it reaches all that is multiplied with it.
 */
public record WordScale(KernelWriter w) {
  /** The length, and so the greatest word. */
  public static final int LENGTH = Short.MAX_VALUE;

  /** The least sum of squares that is told from zero. */
  private static final float LEAST = 1e-36f;

  /**
   * Lane by lane: {@code squares}, a sum of them, becomes what a level stands for, and {@code
   * levelsOf} what numbers are multiplied with to have levels.
   */
  public void emit(Vec squares, Vec levelsOf, Vec t) {
    w.op(VBROADCASTSS, t, at(w.assembler().floats("told from zero", LEAST)));
    w.note("of two the second is the result where one is no number");
    w.op(VMAXPS, t, t, squares);
    w.op(VSQRTPS, t, t);
    w.op(VBROADCASTSS, levelsOf, at(w.assembler().floats("length", LENGTH)));
    w.op(VDIVPS, levelsOf, levelsOf, t);
    w.op(VBROADCASTSS, squares, at(w.assembler().floats("level", 1f / LENGTH)));
    w.op(VMULPS, squares, squares, t);
  }
}
