package weft.cpu.kernel.attention;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Mem;

/**
 * Where the pieces of a kernel tell each other of a tile, as {@link ManyLayout} has it.
 *
 * @param before the bytes from the register on
 */
record Told(Gpr from, int before) {
  /** Of the only tile at hand. */
  static final Told ONE = new Told(ManyLayout.BASE, ManyLayout.TOLDS);

  /** A register that goes from tile to tile. */
  static Told by(Gpr register) {
    return new Told(register, 0);
  }

  Mem at(int part) {
    return Mem.at(from, before + part);
  }

  /** How many positions some query of the tile sees. */
  Mem seen() {
    return at(ManyLayout.SEEN).sized(64);
  }
}
