package weft.cpu.kernel.emit;

import static weft.cpu.asm.BaseOp.ADD;
import static weft.cpu.asm.BaseOp.DIV;
import static weft.cpu.asm.BaseOp.IMUL;
import static weft.cpu.asm.BaseOp.MOV;
import static weft.cpu.asm.BaseOp.MOVABS;
import static weft.cpu.asm.BaseOp.POP;
import static weft.cpu.asm.BaseOp.PUSH;
import static weft.cpu.asm.BaseOp.RET;
import static weft.cpu.asm.BaseOp.XOR;
import static weft.cpu.asm.Gpr.R12;
import static weft.cpu.asm.Gpr.R13;
import static weft.cpu.asm.Gpr.R14;
import static weft.cpu.asm.Gpr.R15;
import static weft.cpu.asm.Gpr.RBP;
import static weft.cpu.asm.Gpr.RBX;
import static weft.cpu.asm.Gpr.RCX;
import static weft.cpu.asm.Gpr.RDI;
import static weft.cpu.asm.Gpr.RDX;
import static weft.cpu.asm.Gpr.RSI;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import weft.cpu.asm.Assembler;
import weft.cpu.asm.Gpr;
import weft.cpu.asm.Isa;
import weft.cpu.asm.Label;
import weft.cpu.asm.Mask;
import weft.cpu.asm.Mem;
import weft.cpu.asm.Op;
import weft.cpu.asm.Operand;
import weft.cpu.asm.Vec;

/** An assembler with the phrases that kernels share: frames, sums, dot products of bytes. */
public final class KernelWriter {
  /** The arguments of every kernel, as the C convention passes them. */
  public static final Gpr ARGUMENTS = RDI;

  public static final Gpr FROM = RSI;
  public static final Gpr TO = RDX;
  public static final Gpr SCRATCH = RCX;

  /** For vpternlogd: the first operand, or else both others. */
  private static final int OR_OF_AND = 0xF8;

  private static final List<Gpr> SAVED = List.of(RBX, RBP, R12, R13, R14, R15);

  private final Assembler assembler;
  private final Isa isa;

  public KernelWriter(Assembler assembler, Isa isa) {
    this.assembler = assembler;
    this.isa = isa;
  }

  public Isa isa() {
    return isa;
  }

  public Assembler assembler() {
    return assembler;
  }

  public void op(Op op, Operand... operands) {
    assembler.op(op, operands);
  }

  public void note(String text) {
    assembler.note(text);
  }

  public Label label(String name) {
    return assembler.label(name);
  }

  public void bind(Label label) {
    assembler.bind(label);
  }

  /** Places the head of a loop where the decoder likes it. */
  public void loop(Label label) {
    assembler.align(32);
    assembler.bind(label);
  }

  public void begin(String name) {
    assembler.entry(name);
    SAVED.forEach(r -> op(PUSH, r));
  }

  public void end() {
    op(VZEROUPPER);
    SAVED.reversed().forEach(r -> op(POP, r));
    op(RET);
  }

  public void zero(Vec v) {
    // Writing 128 bits clears the rest of the register, in the shorter encoding.
    xor(v.x(), v.x(), v.x());
  }

  /** Loads a whole register, in the shorter encoding where the register has one. */
  public void load(Vec to, Mem from) {
    op(isShort(to) ? VMOVDQU : VMOVDQU32, to, from);
  }

  public void store(Mem to, Vec from) {
    op(isShort(from) ? VMOVDQU : VMOVDQU32, to, from);
  }

  public void move(Vec to, Vec from) {
    op(isShort(to, from) ? VMOVDQA : VMOVDQA32, to, from);
  }

  public void and(Vec to, Vec a, Operand b) {
    op(isShort(to, a, b) ? VPAND : VPANDD, to, a, b);
  }

  public void or(Vec to, Vec a, Operand b) {
    op(isShort(to, a, b) ? VPOR : VPORD, to, a, b);
  }

  public void xor(Vec to, Vec a, Operand b) {
    op(isShort(to, a, b) ? VPXOR : VPXORD, to, a, b);
  }

  private static boolean isShort(Operand... operands) {
    return Arrays.stream(operands)
        .noneMatch(o -> o instanceof Vec v && (v.bits() == 512 || v.number() >= 16));
  }

  /** Fills a register with copies of 32 bits. */
  public Vec everywhere(Vec v, String name, int bits) {
    op(VPBROADCASTD, v, at(assembler.ints(name, bits)));
    return v;
  }

  /** Fills each 128 bits of a register with sixteen levels, {@code zero} added to each. */
  public Vec table(Vec v, byte[] levels, int zero) {
    var bytes = new byte[levels.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (levels[i] + zero);
    }
    var from = at(assembler.bytes("levels", bytes));
    op(v.bits() == 512 ? VBROADCASTI32X4 : VBROADCASTI128, v, from);
    return v;
  }

  /** By how much variable shifts move the words of the lower 256 bits, and those of the upper. */
  public Label wordShifts(int lower, int upper) {
    var shifts = new int[16];
    Arrays.setAll(shifts, i -> 0x00010001 * (i < 8 ? lower : upper));
    return assembler.ints("shift" + lower + "then" + upper, shifts);
  }

  /** {@code to |= a & b}. */
  public void orAnd(Vec to, Vec a, Operand b) {
    op(VPTERNLOGD, to, a, b, imm(OR_OF_AND));
  }

  /** A half float, as a float in every lane. */
  public void half(Vec to, Mem from) {
    var halves = new Vec(to.number(), to.bits() / 2);
    op(VPBROADCASTW, halves, from);
    op(VCVTPH2PS, to, halves);
  }

  /**
   * Half floats at as many places as a register has lanes become floats. Registers are cleared
   * first: an insertion would wait for what they held before.
   */
  public void halves(Vec to, Vec t, IntFunction<Mem> places) {
    zero(to);
    for (int lane = 0; lane < 8; lane++) {
      op(VPINSRW, to.x(), to.x(), places.apply(lane), imm(lane));
    }
    if (to.bits() == 512) {
      zero(t);
      for (int lane = 0; lane < 8; lane++) {
        op(VPINSRW, t.x(), t.x(), places.apply(8 + lane), imm(lane));
      }
      op(VINSERTI32X4, to.y(), to.y(), t.x(), imm(1));
      op(VCVTPH2PS, to, to.y());
    } else {
      op(VCVTPH2PS, to, to.x());
    }
  }

  /** Loads a mask by way of rax. */
  public void mask(Mask mask, long bits) {
    if (bits >>> 32 == 0) {
      op(MOV, Gpr.RAX.d(), imm(bits));
      op(KMOVD, mask, Gpr.RAX.d());
    } else {
      op(MOVABS, Gpr.RAX, imm(bits));
      op(KMOVQ, mask, Gpr.RAX);
    }
  }

  /** The number of a unit in rax becomes its row in rax and its part of the row in rdx. */
  public void divide(Mem perRow) {
    op(XOR, RDX.d(), RDX.d());
    op(DIV, perRow.sized(64));
  }

  /** {@code to = } the place of a head in the {@link HeadRows} of the arguments; changes rax. */
  public void place(Gpr to, int rows, Gpr row, Gpr head) {
    op(MOV, to, at(ARGUMENTS, rows + HeadRows.ROW_BYTES));
    op(IMUL, to, row);
    op(MOV, Gpr.RAX, at(ARGUMENTS, rows + HeadRows.HEAD_BYTES));
    op(IMUL, Gpr.RAX, head);
    op(ADD, to, Gpr.RAX);
    op(ADD, to, at(ARGUMENTS, rows + HeadRows.MEMORY));
  }

  /** Combines all lanes of a vector, into each of them. */
  public void everyLane(Op combine, Vec v, Vec u) {
    if (v.bits() == 512) {
      for (int pattern : new int[] {0x4E, 0xB1}) {
        op(VSHUFF32X4, u, v, v, imm(pattern));
        op(combine, v, v, u);
      }
    } else {
      op(VPERM2F128, u, v, v, imm(1));
      op(combine, v, v, u);
    }
    for (int pattern : new int[] {0x4E, 0xB1}) {
      op(VPERMILPS, u, v, imm(pattern));
      op(combine, v, v, u);
    }
  }

  /** The sum of a vector's lanes, in the lowest lane. */
  public void sum(Vec v, Vec t) {
    fold(v, t);
    op(VHADDPS, v.x(), v.x(), v.x());
    op(VHADDPS, v.x(), v.x(), v.x());
  }

  /** Adds the upper part of a vector to its lower 128 bits, lane by lane. */
  public void fold(Vec v, Vec t) {
    if (v.bits() == 512) {
      op(VEXTRACTF64X4, t.y(), v.z(), imm(1));
      op(VADDPS, v.y(), v.y(), t.y());
    }
    op(VEXTRACTF128, t.x(), v.y(), imm(1));
    op(VADDPS, v.x(), v.x(), t.x());
  }
}
