package weft.cpu.asm;

import java.util.Set;

/** An ability of the processor, by the CPUID bit that announces it. */
public enum CpuFeature {
  FMA(1, 0, Register.ECX, 12, State.AVX),
  AVX(1, 0, Register.ECX, 28, State.AVX),
  F16C(1, 0, Register.ECX, 29, State.AVX),
  AVX2(7, 0, Register.EBX, 5, State.AVX),
  BMI1(7, 0, Register.EBX, 3, State.NONE),
  BMI2(7, 0, Register.EBX, 8, State.NONE),
  AVX512F(7, 0, Register.EBX, 16, State.AVX512),
  AVX512DQ(7, 0, Register.EBX, 17, State.AVX512),
  AVX512BW(7, 0, Register.EBX, 30, State.AVX512),
  AVX512VL(7, 0, Register.EBX, 31, State.AVX512),
  AVX512VBMI(7, 0, Register.ECX, 1, State.AVX512),
  GFNI(7, 0, Register.ECX, 8, State.NONE),
  AVX512_VNNI(7, 0, Register.ECX, 11, State.AVX512),
  AVX512_BF16(7, 1, Register.EAX, 5, State.AVX512),
  AMX_TILE(7, 0, Register.EDX, 24, State.TILES),
  AMX_INT8(7, 0, Register.EDX, 25, State.TILES);

  /** Those that a process has only if it asks the operating system. */
  static final Set<CpuFeature> OF_TILES = Set.of(AMX_TILE, AMX_INT8);

  enum Register {
    EAX,
    EBX,
    ECX,
    EDX
  }

  /** The registers that the operating system must save for the feature, as bits of XCR0. */
  enum State {
    NONE(0),
    AVX(0x06),
    AVX512(0xE6),
    TILES(0x600E6);

    private final int bits;

    State(int bits) {
      this.bits = bits;
    }

    int bits() {
      return bits;
    }
  }

  private final int leaf;
  private final int subleaf;
  private final Register register;
  private final int bit;
  private final State state;

  CpuFeature(int leaf, int subleaf, Register register, int bit, State state) {
    this.leaf = leaf;
    this.subleaf = subleaf;
    this.register = register;
    this.bit = bit;
    this.state = state;
  }

  int leaf() {
    return leaf;
  }

  int subleaf() {
    return subleaf;
  }

  /** True where the four registers that CPUID returned and the enabled state announce this. */
  boolean isIn(int[] registers, long enabledState) {
    return (registers[register.ordinal()] >>> bit & 1) == 1
        && (enabledState & state.bits()) == state.bits();
  }
}
