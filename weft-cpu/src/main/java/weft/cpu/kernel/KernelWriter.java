package weft.cpu.kernel;

import static weft.cpu.asm.BaseOp.MOV;
import static weft.cpu.asm.BaseOp.MOVABS;
import static weft.cpu.asm.BaseOp.POP;
import static weft.cpu.asm.BaseOp.PUSH;
import static weft.cpu.asm.BaseOp.RET;
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
import static weft.cpu.asm.VectorOp.KMOVD;
import static weft.cpu.asm.VectorOp.KMOVQ;
import static weft.cpu.asm.VectorOp.VADDPS;
import static weft.cpu.asm.VectorOp.VEXTRACTF128;
import static weft.cpu.asm.VectorOp.VEXTRACTF64X4;
import static weft.cpu.asm.VectorOp.VPBROADCASTD;
import static weft.cpu.asm.VectorOp.VPXOR;
import static weft.cpu.asm.VectorOp.VPXORD;
import static weft.cpu.asm.VectorOp.VZEROUPPER;

import java.util.List;
import weft.cpu.asm.Assembler;
import weft.cpu.asm.Gpr;
import weft.cpu.asm.Isa;
import weft.cpu.asm.Label;
import weft.cpu.asm.Mask;
import weft.cpu.asm.Op;
import weft.cpu.asm.Operand;
import weft.cpu.asm.Vec;

/** An assembler with the phrases that kernels share: frames, sums, dot products of bytes. */
final class KernelWriter {
  /** The arguments of every kernel, as the C convention passes them. */
  static final Gpr ARGUMENTS = RDI;

  static final Gpr FROM = RSI;
  static final Gpr TO = RDX;
  static final Gpr SCRATCH = RCX;

  private static final List<Gpr> SAVED = List.of(RBX, RBP, R12, R13, R14, R15);

  private final Assembler assembler;
  private final Isa isa;

  KernelWriter(Assembler assembler, Isa isa) {
    this.assembler = assembler;
    this.isa = isa;
  }

  Isa isa() {
    return isa;
  }

  Assembler assembler() {
    return assembler;
  }

  void op(Op op, Operand... operands) {
    assembler.op(op, operands);
  }

  void note(String text) {
    assembler.note(text);
  }

  Label label(String name) {
    return assembler.label(name);
  }

  void bind(Label label) {
    assembler.bind(label);
  }

  /** Places the head of a loop where the decoder likes it. */
  void loop(Label label) {
    assembler.align(32);
    assembler.bind(label);
  }

  void begin(String name) {
    assembler.entry(name);
    SAVED.forEach(r -> op(PUSH, r));
  }

  void end() {
    op(VZEROUPPER);
    SAVED.reversed().forEach(r -> op(POP, r));
    op(RET);
  }

  void zero(Vec v) {
    if (v.number() < 16) {
      op(VPXOR, v.x(), v.x(), v.x());
    } else {
      op(VPXORD, v, v, v);
    }
  }

  /** Fills a register with copies of 32 bits. */
  Vec everywhere(Vec v, String name, int bits) {
    op(VPBROADCASTD, v, at(assembler.ints(name, bits)));
    return v;
  }

  /** Loads a mask by way of rax. */
  void mask(Mask mask, long bits) {
    if (bits >>> 32 == 0) {
      op(MOV, Gpr.RAX.d(), imm(bits));
      op(KMOVD, mask, Gpr.RAX.d());
    } else {
      op(MOVABS, Gpr.RAX, imm(bits));
      op(KMOVQ, mask, Gpr.RAX);
    }
  }

  /** Adds the upper part of a vector to its lower 128 bits, lane by lane. */
  void fold(Vec v, Vec t) {
    if (v.bits() == 512) {
      op(VEXTRACTF64X4, t.y(), v.z(), imm(1));
      op(VADDPS, v.y(), v.y(), t.y());
    }
    op(VEXTRACTF128, t.x(), v.y(), imm(1));
    op(VADDPS, v.x(), v.x(), t.x());
  }
}
