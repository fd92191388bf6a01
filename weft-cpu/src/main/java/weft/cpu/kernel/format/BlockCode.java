package weft.cpu.kernel.format;

import weft.cpu.asm.Mask;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;

/**
 * A block format as code: it turns packed weights into unsigned bytes and their scales.
 *
 * <p>A weight is {@code scale · (byte − zero)}, or {@code scale · byte − minimum} in the formats
 * that have minimums. Bytes come in their natural order: 64 in a 512-bit register, 32 in a 256-bit
 * one.
 */
public sealed interface BlockCode permits ShortBlockCode, LongBlockCode {
  /** The upper eight of sixteen lanes; set before the code of a 512-bit kernel begins. */
  Mask UPPER = Mask.k(1);

  /** The words of the second and the fourth 128 bits of 512. */
  Mask ODD_QUARTERS = Mask.k(2);

  /** The words of the upper 256 bits of 512. */
  Mask UPPER_WORDS = Mask.k(3);

  /** What must be taken from each byte; a power of two, or zero where there are minimums. */
  int zero();

  /** Values under one scale: 32 or 16. */
  int run();

  default boolean hasMinimums() {
    return zero() == 0;
  }

  /** The largest byte that comes. */
  int highest();

  /** Makes the code of a format in a kernel, with the registers it may take. */
  public interface Format {
    BlockCode code(KernelWriter w, Registers registers);
  }

  /** Sets the masks that the code of a 512-bit kernel relies on. */
  static void masks(KernelWriter w) {
    if (w.isa().vectorBits() == 512) {
      w.mask(UPPER, 0xFF00);
      w.mask(ODD_QUARTERS, 0xFF00FF00L);
      w.mask(UPPER_WORDS, 0xFFFF0000L);
    }
  }
}
