package weft.cpu.kernel.emit;

import weft.cpu.asm.Isa;
import weft.cpu.asm.Vec;

/** Hands out the vector registers of one kernel, each once, so that no two uses meet in one. */
public final class Registers {
  private final int bits;
  private final int count;
  private int taken;

  private Registers(int bits, int count, int taken) {
    this.bits = bits;
    this.count = count;
    this.taken = taken;
  }

  public Registers(Isa isa) {
    this(isa.vectorBits());
  }

  /** Registers of this length: 32 of them where AVX-512 names them, else 16. */
  public Registers(int bits) {
    this(bits, bits == 512 ? 32 : 16, 0);
  }

  /**
   * The registers that nobody took, at this length; who takes from them takes from here no more.
   */
  public Registers left(int bits) {
    return new Registers(bits, count, taken);
  }

  public Vec take() {
    if (taken == count) {
      throw new KernelException("a kernel of " + bits + "-bit vectors takes over " + count);
    }
    return new Vec(taken++, bits);
  }

  /** Rows of as many registers each. */
  public Vec[][] take(int rows, int each) {
    var registers = new Vec[rows][];
    for (int i = 0; i < rows; i++) {
      registers[i] = take(each);
    }
    return registers;
  }

  public Vec[] take(int wanted) {
    var registers = new Vec[wanted];
    for (int i = 0; i < wanted; i++) {
      registers[i] = take();
    }
    return registers;
  }
}
