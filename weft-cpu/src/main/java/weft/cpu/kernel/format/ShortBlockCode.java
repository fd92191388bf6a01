package weft.cpu.kernel.format;

import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.Place;

/** A format whose blocks are 32 values under one scale: a head, then quants. */
public sealed interface ShortBlockCode extends BlockCode permits Q8_0Code, NibbleCode, FiveBitCode {
  int VALUES = 32;

  BlockHead head();

  int blockBytes();

  @Override
  default int run() {
    return VALUES;
  }

  /** The bytes of two blocks in 512 bits. */
  void bytes64(Vec to, Place a, Place b);

  /** The bytes of one block in 256 bits. */
  void bytes32(Vec to, Place a);

  /** The first halves of one block or two, in 128 bits each, and their second halves. */
  void halves(Vec first, Vec second, Place[] blocks);
}
