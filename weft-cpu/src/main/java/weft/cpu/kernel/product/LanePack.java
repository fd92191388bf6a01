package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.format.LongBlockCode;

/**
 * Lays {@link Activations} of a few tokens side by side as a {@link LaneLayout} says. Where there
 * are fewer tokens than places, the last one stands in for those behind it.
 */
record LanePack(KernelWriter w, LaneLayout layout, Activations.Sums sums) {
  private static final Gpr TOKEN = R8;
  private static final Gpr PLACE = R9;
  private static final Gpr PLACES = R10;
  private static final Gpr BLOCKS = R11;
  private static final Gpr X = RBX;
  private static final Gpr X_SCALE = RBP;
  private static final Gpr X_SUM = R12;
  private static final Gpr TO = R13;
  private static final Gpr TOKENS = R15;
  private static final Vec T = Vec.xmm(0);

  /** From the scratch memory in rcx and the kernel's arguments; keeps rsi, rdx, rdi and rcx. */
  void emit() {
    var token = w.label("token");
    var block = w.label("packed");
    var last = w.label("last");
    w.op(MOV, TOKEN, at(ARGUMENTS, MatMulArguments.X));
    w.op(LEA, PLACE, at(KernelWriter.SCRATCH, LaneLayout.BLOCKS));
    w.op(MOV, PLACES.d(), imm(layout.tokens()));
    w.op(MOV, TOKENS, at(ARGUMENTS, MatMulArguments.TOKENS));
    w.loop(token);
    w.op(MOV, X, TOKEN);
    w.op(MOV, BLOCKS, at(ARGUMENTS, MatMulArguments.K));
    w.op(LEA, X_SCALE, at(TOKEN, BLOCKS, 1));
    w.op(SHR, BLOCKS, imm(3));
    w.op(IMUL, X_SUM, BLOCKS, imm(sums.eighths()));
    w.op(ADD, X_SUM, X_SCALE);
    w.op(SHR, BLOCKS, imm(5));
    w.op(MOV, TO, PLACE);
    w.loop(block);
    for (int value = 0; value < LongBlockCode.VALUES; value += LaneLayout.WIDTH) {
      w.op(MOV, RAX.d(), at(X, value));
      w.op(MOV, at(TO, layout.x(value, 0)), RAX.d());
    }
    w.op(MOV, RAX.d(), at(X_SCALE));
    w.op(MOV, at(TO, layout.scale(0)), RAX.d());
    words();
    w.op(ADD, X, imm(LongBlockCode.VALUES));
    w.op(ADD, X_SCALE, imm(LongBlockCode.VALUES / 8));
    w.op(ADD, X_SUM, imm(LongBlockCode.VALUES / sums.valuesPerByte()));
    w.op(ADD, TO, imm(layout.blockBytes()));
    w.op(DEC, BLOCKS);
    w.op(JNE, block);
    w.op(ADD, PLACE, imm(LaneLayout.WIDTH));
    w.op(DEC, TOKENS);
    w.op(JLE, last);
    w.op(ADD, TOKEN, at(ARGUMENTS, MatMulArguments.X_BYTES));
    w.bind(last);
    w.op(DEC, PLACES);
    w.op(JNE, token);
  }

  /** Eight at a time: integers as large as words become words. */
  private void words() {
    for (int word = 0; word < layout.words(); word += 8) {
      if (sums == Activations.Sums.WSUM) {
        w.op(VMOVDQU, T, at(X_SUM, 2 * word));
      } else {
        w.op(VMOVDQU, T, at(X_SUM, 4 * word));
        w.op(VPACKSSDW, T, T, at(X_SUM, 4 * word + 16));
      }
      for (int i = 0; i < 4; i++) {
        w.op(VPEXTRD, at(TO, layout.sums(word + 2 * i, 0)), T, imm(i));
      }
    }
  }
}
