package weft.cpu.kernel.emit;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Mem;

/** Where a block of weights begins, so that code can name the bytes of it. */
public interface Place {
  Mem at(int offset);

  static Place of(Gpr base) {
    return offset -> Mem.at(base, offset);
  }

  static Place of(Gpr base, Gpr index, int scale) {
    return offset -> Mem.at(base, index, scale, offset);
  }

  default Place plus(int bytes) {
    return offset -> at(bytes + offset);
  }
}
