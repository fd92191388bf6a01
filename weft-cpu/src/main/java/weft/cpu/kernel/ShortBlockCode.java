package weft.cpu.kernel;

import java.util.function.IntFunction;
import weft.cpu.asm.Vec;

/** A format whose blocks are 32 values under one scale. */
sealed interface ShortBlockCode extends BlockCode permits Q8_0Code, Q5_0Code, NibbleCode {
  int VALUES = 32;

  int blockBytes();

  @Override
  default int run() {
    return VALUES;
  }

  @Override
  default boolean hasMinimums() {
    return false;
  }

  /** The bytes of two blocks in 512 bits. */
  void bytes64(Vec to, Place a, Place b);

  /** The bytes of one block in 256 bits. */
  void bytes32(Vec to, Place a);

  /** The scales of two blocks, each in eight lanes of 512 bits. */
  void scales(Vec to, Place a, Place b);

  /** The scales of a block in each of as many rows as the register has lanes. */
  void scalesOfRows(Vec to, Vec t, IntFunction<Place> rows);

  /** The scale of one block in every lane of 256 bits. */
  void scale(Vec to, Place a);
}
