package weft.cpu.kernel;

import weft.cpu.asm.Isa;
import weft.cpu.asm.Vec;

/** Hands out the vector registers of one kernel, each once, so that no two uses meet in one. */
final class Registers {
  private final int bits;
  private final int count;
  private int taken;

  Registers(Isa isa) {
    this(isa.vectorBits());
  }

  /** Registers of this length: 32 of them where AVX-512 names them, else 16. */
  Registers(int bits) {
    this.bits = bits;
    this.count = bits == 512 ? 32 : 16;
  }

  Vec take() {
    if (taken == count) {
      throw new KernelException("a kernel of " + bits + "-bit vectors takes over " + count);
    }
    return new Vec(taken++, bits);
  }

  Vec[] take(int wanted) {
    var registers = new Vec[wanted];
    for (int i = 0; i < wanted; i++) {
      registers[i] = take();
    }
    return registers;
  }
}
