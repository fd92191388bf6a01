package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.VMOVDQU;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.emit.KernelWriter.SCRATCH;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.format.AbreastCode;

/**
 * Lays {@link Activations} as an {@link AbreastLayout} says. Where the last turn has fewer tokens
 * than places, the last one stands in for those behind it.
 */
record AbreastPack(KernelWriter w, AbreastLayout layout, AbreastCode code) {
  private static final Gpr TOKEN = R8;
  private static final Gpr PLACE_X = R9;
  private static final Gpr PLACE_HEAD = R10;
  private static final Gpr BLOCKS = R11;
  private static final Gpr X = RBX;
  private static final Gpr X_SCALE = RBP;
  private static final Gpr X_SUM = R12;
  private static final Gpr TO_X = R13;
  private static final Gpr TO_HEAD = R14;
  private static final Gpr TOKENS = R15;
  private static final Vec T = Vec.xmm(0);

  /** From the scratch memory in rcx and the kernel's arguments; keeps rsi, rdx, rdi and rcx. */
  void emit() {
    var turn = w.label("packedTurn");
    w.op(MOV, TOKEN, at(ARGUMENTS, MatMulArguments.X));
    w.op(MOV, TOKENS, at(ARGUMENTS, MatMulArguments.TOKENS));
    w.op(LEA, PLACE_X, at(SCRATCH, AbreastLayout.X));
    w.op(LEA, PLACE_HEAD, at(SCRATCH, AbreastLayout.HEADS));
    w.bind(turn);
    for (int token = 0; token < layout.tokens(); token++) {
      token(token);
    }
    w.op(MOV, PLACE_X, TO_X);
    w.op(MOV, PLACE_HEAD, TO_HEAD);
    w.op(TEST, TOKENS, TOKENS);
    w.op(JG, turn);
  }

  private void token(int token) {
    var block = w.label("packed");
    var last = w.label("last");
    var sums = sums();
    w.op(MOV, RAX, at(ARGUMENTS, MatMulArguments.K));
    w.op(ADD, RAX, imm(Activations.PADDING - 1));
    w.op(AND, RAX, imm(-Activations.PADDING));
    w.op(MOV, X, TOKEN);
    w.op(LEA, X_SCALE, at(TOKEN, RAX, 1));
    w.op(SHR, RAX, imm(3));
    w.op(IMUL, X_SUM, RAX, imm(sums.eighths()));
    w.op(ADD, X_SUM, X_SCALE);
    w.op(MOV, TO_X, PLACE_X);
    w.op(MOV, TO_HEAD, PLACE_HEAD);
    w.op(MOV, BLOCKS, at(ARGUMENTS, MatMulArguments.K));
    w.op(SHR, BLOCKS, imm(Integer.numberOfTrailingZeros(layout.values())));
    w.loop(block);
    block(token);
    w.op(ADD, X, imm(layout.values()));
    w.op(ADD, X_SCALE, imm(layout.values() / 8));
    w.op(ADD, X_SUM, imm(layout.values() / sums.valuesPerByte()));
    w.op(ADD, TO_X, imm(layout.values() * layout.tokens()));
    w.op(ADD, TO_HEAD, imm(layout.headBytes()));
    w.op(DEC, BLOCKS);
    w.op(JNE, block);
    w.op(DEC, TOKENS);
    w.op(JLE, last);
    w.op(ADD, TOKEN, at(ARGUMENTS, MatMulArguments.X_BYTES));
    w.bind(last);
  }

  /** Which sums of the activations the code meets. */
  private Activations.Sums sums() {
    if (code.run() == AbreastCode.CHUNK) return Activations.Sums.CSUM16;
    return layout.meetsWords() ? Activations.Sums.WSUM : Activations.Sums.CSUM;
  }

  private void block(int token) {
    var order = code.order();
    for (int chunk = 0; chunk < order.length; chunk++) {
      w.op(VMOVDQU, T, at(X, AbreastCode.CHUNK * order[chunk]));
      int to = layout.chunkBytes() * chunk + AbreastCode.CHUNK * token;
      w.op(VMOVDQU, at(TO_X, to), T);
    }
    w.op(MOV, RAX.d(), at(X_SCALE));
    w.op(MOV, at(TO_HEAD, AbreastLayout.scale(token)), RAX.d());
    if (layout.meetsWords()) {
      for (int run = 0; run < layout.runs(); run += 4) {
        w.op(MOV, RAX, at(X_SUM, 2 * run));
        w.op(MOV, at(TO_HEAD, layout.sum(run, token)), RAX);
      }
      return;
    }
    int perRun = code.run() / AbreastCode.CHUNK;
    for (int run = 0; run < layout.runs(); run++) {
      w.op(MOV, RAX.d(), at(X_SUM, 4 * (order[run * perRun] / perRun)));
      if (!code.hasMinimums()) {
        w.op(SHL, RAX.d(), imm(Integer.numberOfTrailingZeros(code.zero())));
      }
      w.op(MOV, at(TO_HEAD, layout.sum(run, token)), RAX.d());
    }
  }
}
