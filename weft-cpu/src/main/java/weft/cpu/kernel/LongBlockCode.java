package weft.cpu.kernel;

import weft.cpu.asm.Vec;

/** A format whose blocks are 256 values in eight or sixteen runs, each with its own scale. */
non-sealed interface LongBlockCode extends BlockCode {
  int VALUES = 256;

  int blockBytes();

  /** Values under one scale: 32 or 16. */
  int run();

  boolean hasMinimums();

  /** Bytes {@code 64·group} to {@code 64·group + 63} of a block in 512 bits. */
  void bytes(Vec to, int group, Place block);

  /** Sixteen scales, or eight scales and above them eight minimums, as floats in 512 bits. */
  void scales(Vec to, Place block);
}
