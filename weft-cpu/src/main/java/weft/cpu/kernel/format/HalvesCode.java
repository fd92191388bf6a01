package weft.cpu.kernel.format;

import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.Place;

/** A format whose {@link Nibbles} make four blocks at once cheap. */
public sealed interface HalvesCode extends ShortBlockCode permits NibbleCode, FiveBitCode {
  /** The first halves of some blocks, up to four, in 512 bits, and their second halves. */
  void halves(Vec first, Vec second, Place[] blocks);
}
