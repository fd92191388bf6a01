package weft.cpu.kernel;

import weft.cpu.asm.Vec;

/** A format whose {@link Nibbles} make four blocks at once cheap. */
sealed interface HalvesCode extends ShortBlockCode permits NibbleCode, FiveBitCode {
  /** The first halves of some blocks, up to four, in 512 bits, and their second halves. */
  void halves(Vec first, Vec second, Place[] blocks);
}
