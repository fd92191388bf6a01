package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.VMOVDQU;
import static weft.cpu.asm.VectorOp.VPEXTRD;
import static weft.cpu.asm.VectorOp.VPEXTRQ;
import static weft.cpu.asm.VectorOp.VPMOVSXBW;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.format.BlockCode;

/**
 * Lays {@link Activations} of a few tokens side by side as a {@link FewLayout} says. Where there
 * are fewer tokens than places, the last one stands in for those behind it.
 */
public final class FewPack {
  private static final Gpr TOKEN = R8;
  private static final Gpr PLACE = R9;
  private static final Gpr PLACES = R10;
  private static final Gpr BLOCKS = R11;
  private static final Gpr X = RBX;
  private static final Gpr X_SCALE = RBP;
  private static final Gpr X_SUM = R12;
  private static final Gpr TO = R13;
  private static final Gpr PADDED = R14;
  private static final Gpr TOKENS = R15;
  private static final Vec T = Vec.xmm(0);

  private final KernelWriter w;
  private final FewLayout layout;
  private final BlockCode code;

  FewPack(KernelWriter w, FewLayout layout, BlockCode code) {
    this.w = w;
    this.layout = layout;
    this.code = code;
  }

  /** From the scratch memory in rcx and the kernel's arguments; keeps rsi, rdx, rdi and rcx. */
  void emit() {
    var token = w.label("token");
    var block = w.label("packed");
    var last = w.label("last");
    w.op(MOV, PADDED, at(ARGUMENTS, MatMulArguments.K));
    w.op(ADD, PADDED, imm(Activations.PADDING - 1));
    w.op(AND, PADDED, imm(-Activations.PADDING));
    w.op(MOV, TOKEN, at(ARGUMENTS, MatMulArguments.X));
    w.op(LEA, PLACE, at(KernelWriter.SCRATCH, FewLayout.BLOCKS));
    w.op(MOV, PLACES.d(), imm(layout.tokens()));
    w.op(MOV, TOKENS, at(ARGUMENTS, MatMulArguments.TOKENS));
    w.loop(token);
    parts();
    w.op(MOV, TO, PLACE);
    w.op(MOV, BLOCKS, at(ARGUMENTS, MatMulArguments.K));
    w.op(SHR, BLOCKS, imm(5));
    w.loop(block);
    block();
    w.op(ADD, X, imm(FewLayout.BLOCK));
    w.op(ADD, X_SCALE, imm(4));
    w.op(ADD, X_SUM, imm(4 * layout.runs()));
    w.op(ADD, TO, imm(layout.blockBytes()));
    w.op(DEC, BLOCKS);
    w.op(JNE, block);
    w.op(ADD, PLACE, imm(layout.width()));
    w.op(DEC, TOKENS);
    w.op(JLE, last);
    w.op(ADD, TOKEN, at(ARGUMENTS, MatMulArguments.X_BYTES));
    w.bind(last);
    w.op(DEC, PLACES);
    w.op(JNE, token);
  }

  /** Where the parts of the token's activations begin. */
  private void parts() {
    w.op(MOV, X, TOKEN);
    w.op(LEA, X_SCALE, at(TOKEN, PADDED, 1));
    w.op(MOV, RAX, PADDED);
    w.op(SHR, RAX, imm(3));
    var sums = layout.run() == FewLayout.BLOCK ? Activations.Sums.CSUM : Activations.Sums.CSUM16;
    w.op(IMUL, X_SUM, RAX, imm(sums.eighths()));
    w.op(ADD, X_SUM, X_SCALE);
  }

  private void block() {
    switch (layout.meet()) {
      case BYTES -> bytes();
      case WORDS -> words();
    }
    w.op(MOV, RAX.d(), at(X_SCALE));
    for (int lane = 0; lane < layout.width(); lane += 4) {
      w.op(MOV, at(TO, layout.scale() + lane), RAX.d());
    }
    for (int run = 0; run < layout.runs(); run++) {
      w.op(MOV, RAX.d(), at(X_SUM, 4 * run));
      if (!code.hasMinimums()) {
        w.op(SHL, RAX.d(), imm(Integer.numberOfTrailingZeros(code.zero())));
      }
      w.op(MOV, at(TO, layout.sum(run)), RAX.d());
      for (int lane = 4; lane < layout.width(); lane += 4) {
        w.op(MOV, at(TO, layout.sum(run) + lane).sized(32), imm(0));
      }
    }
  }

  private void words() {
    int registers = 16 / layout.width();
    for (int eight = 0; eight < FewLayout.BLOCK / 8; eight++) {
      w.op(VPMOVSXBW, T, at(X, 8 * eight));
      for (int i = 0; i < registers; i++) {
        var to = at(TO, (eight * registers + i) * layout.length());
        switch (layout.width()) {
          case 4 -> w.op(VPEXTRD, to, T, imm(i));
          case 8 -> w.op(VPEXTRQ, to, T, imm(i));
          default -> w.op(VMOVDQU, to, T);
        }
      }
    }
  }

  private void bytes() {
    for (int group = 0; group < layout.groups(); group++) {
      var from = at(X, group * layout.width());
      var to = at(TO, group * layout.length());
      switch (layout.width()) {
        case 4 -> {
          w.op(MOV, RAX.d(), from);
          w.op(MOV, to, RAX.d());
        }
        case 8 -> {
          w.op(MOV, RAX, from);
          w.op(MOV, to, RAX);
        }
        default -> {
          w.op(VMOVDQU, T, from);
          w.op(VMOVDQU, to, T);
        }
      }
    }
  }
}
