package weft.cpu.kernel.format;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Mem;

/** Memory of a kernel where the code of a format puts whole registers aside. */
public record Stash(Gpr base, int offset) {
  /** The registers that there is room for. */
  public static final int ROOM = 16;

  static final int LENGTH = 64;

  public static final int BYTES = ROOM * LENGTH;

  Mem at(int place) {
    return Mem.at(base, offset + LENGTH * place);
  }
}
