package weft.cpu.kernel;

import static weft.cpu.asm.VectorOp.VCVTPH2PS;
import static weft.cpu.asm.VectorOp.VPBROADCASTW;

import java.util.function.IntFunction;
import weft.cpu.asm.Vec;

/** The scale of a block of 32 values that is a half float at the block's beginning. */
record HalfScale(KernelWriter w) {
  /** The scales of two blocks, each in eight lanes of 512 bits. */
  void scales(Vec to, Place a, Place b) {
    w.op(VPBROADCASTW, to.y(), a.at(0));
    w.op(VPBROADCASTW, to.y().merging(BlockCode.UPPER), b.at(0));
    w.op(VCVTPH2PS, to, to.y());
  }

  /** The scale of one block in every lane of 256 bits. */
  void scale(Vec to, Place a) {
    w.op(VPBROADCASTW, to.x(), a.at(0));
    w.op(VCVTPH2PS, to, to.x());
  }

  /** The scales of as many blocks as the register has lanes. */
  void scalesOfRows(Vec to, Vec t, IntFunction<Place> rows) {
    w.halves(to, t, row -> rows.apply(row).at(0));
  }
}
