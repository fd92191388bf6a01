package weft.cpu.kernel;

import static weft.cpu.asm.VectorOp.VCVTPH2PS;
import static weft.cpu.asm.VectorOp.VPBROADCASTW;

import weft.cpu.asm.Vec;

/** A format whose blocks are 32 values under one scale. */
non-sealed interface ShortBlockCode extends BlockCode {
  int VALUES = 32;

  KernelWriter writer();

  int blockBytes();

  /** The bytes of two blocks in 512 bits. */
  void bytes(Vec to, Place a, Place b);

  /** The bytes of one block in 256 bits. */
  void bytes(Vec to, Place a);

  /** The scales of two blocks, each in eight lanes of 512 bits. */
  default void scales(Vec to, Place a, Place b) {
    writer().op(VPBROADCASTW, to.y(), a.at(0));
    writer().op(VPBROADCASTW, to.y().merging(UPPER), b.at(0));
    writer().op(VCVTPH2PS, to, to.y());
  }

  /** The scale of one block in every lane of 256 bits. */
  default void scale(Vec to, Place a) {
    writer().op(VPBROADCASTW, to.x(), a.at(0));
    writer().op(VCVTPH2PS, to, to.x());
  }
}
