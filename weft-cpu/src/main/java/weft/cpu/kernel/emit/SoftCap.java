package weft.cpu.kernel.emit;

import static weft.cpu.asm.BaseOp.CMP;
import static weft.cpu.asm.BaseOp.JE;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;

import weft.cpu.asm.Label;
import weft.cpu.asm.Vec;

/**
 * Scores that are capped softly, by {@code cap * tanh(x / cap)}.
 *
 * @param caps where in the arguments the cap and its inverse are
 */
public record SoftCap(KernelWriter w, int caps) {
  /** Goes to the label where nothing is capped. */
  public void unless(Label uncapped) {
    w.op(CMP, at(ARGUMENTS, caps).sized(32), imm(0));
    w.op(JE, uncapped);
  }

  public void apply(Vec x, Vec t, ExpCode exp) {
    w.note("cap * (1 - 2 / (exp(2 x / cap) + 1))");
    w.op(VBROADCASTSS, t, at(ARGUMENTS, caps + Float.BYTES));
    w.op(VMULPS, x, x, t);
    w.op(VADDPS, x, x, x);
    exp.apply(x);
    w.op(VADDPS, x, x, exp.number("one", 1));
    w.op(VBROADCASTSS, t, at(w.assembler().floats("two", 2)));
    w.op(VDIVPS, x, t, x);
    w.op(VBROADCASTSS, t, at(w.assembler().floats("one", 1)));
    w.op(VSUBPS, x, t, x);
    w.op(VBROADCASTSS, t, at(ARGUMENTS, caps));
    w.op(VMULPS, x, x, t);
  }
}
