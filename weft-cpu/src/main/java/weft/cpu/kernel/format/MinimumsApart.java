package weft.cpu.kernel.format;

import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.Place;

/** A format whose sixteen runs have minimums, which do not fit beside sixteen scales. */
public sealed interface MinimumsApart extends LongBlockCode permits Q2_KCode {
  @Override
  default int zero() {
    return 0;
  }

  /** Sixteen minimums as floats in 512 bits. */
  void minimums16(Vec to, Place block);

  /** The same in two vectors of 256 bits. */
  void minimums8(Vec first, Vec second, Place block);
}
