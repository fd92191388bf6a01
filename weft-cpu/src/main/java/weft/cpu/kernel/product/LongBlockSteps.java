package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.ADD;
import static weft.cpu.asm.BaseOp.DEC;
import static weft.cpu.asm.BaseOp.JNE;
import static weft.cpu.asm.BaseOp.LEA;
import static weft.cpu.asm.BaseOp.MOV;
import static weft.cpu.asm.BaseOp.SHR;
import static weft.cpu.asm.Gpr.RAX;
import static weft.cpu.asm.Gpr.RBP;
import static weft.cpu.asm.Gpr.RBX;
import static weft.cpu.asm.Gpr.RCX;
import static weft.cpu.asm.Gpr.RDX;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Place;
import weft.cpu.kernel.format.LongBlockCode;

/**
 * The way of one activation row along packed rows of 256-value blocks, a block a step: where the
 * activations, their scales and their sums lie at each.
 */
final class LongBlockSteps {
  static final Gpr X = RBX;
  static final Gpr X_SCALE = RBP;
  static final Gpr X_NSUM = RCX;
  static final Gpr X_CSUM16 = RDX;

  private static final Gpr STEPS = RAX;

  /** Whether a kernel reads the sums of 16 values each. */
  enum Sums {
    OF_BLOCKS,
    OF_SIXTEEN_TOO
  }

  /** Code that adds a block's products to a vector of sums. */
  @FunctionalInterface
  interface Block {
    void emit(Vec sums, Place block);
  }

  private final KernelWriter w;
  private final int blockBytes;
  private final Sums kept;

  LongBlockSteps(KernelWriter w, LongBlockCode code, Sums kept) {
    this.w = w;
    this.blockBytes = code.blockBytes();
    this.kept = kept;
  }

  /** {@code shared} is what a step does once for all streams. */
  void emit(int streams, Vec[] sums, Runnable shared, Block block) {
    var step = w.label("step");
    for (int i = 0; i < streams; i++) {
      w.zero(sums[i]);
    }
    w.op(MOV, X, at(ARGUMENTS, MatMulArguments.X));
    w.op(MOV, STEPS, at(ARGUMENTS, MatMulArguments.K));
    w.op(LEA, X_SCALE, at(X, STEPS, 1));
    w.op(SHR, STEPS, imm(3));
    w.op(LEA, X_NSUM, at(X_SCALE, STEPS, 1));
    if (kept == Sums.OF_SIXTEEN_TOO) {
      w.op(LEA, X_CSUM16, at(X_NSUM, STEPS, 2));
    }
    w.op(SHR, STEPS, imm(5));
    w.loop(step);
    shared.run();
    for (int i = 0; i < streams; i++) {
      w.note("stream " + i);
      var place = Place.of(RowStreams.POINTERS.get(i));
      RowStreams.prefetch(w, place, blockBytes);
      block.emit(sums[i], place);
      w.op(ADD, RowStreams.POINTERS.get(i), imm(blockBytes));
    }
    w.op(ADD, X, imm(LongBlockCode.VALUES));
    w.op(ADD, X_SCALE, imm(32));
    w.op(ADD, X_NSUM, imm(32));
    if (kept == Sums.OF_SIXTEEN_TOO) {
      w.op(ADD, X_CSUM16, imm(64));
    }
    w.op(DEC, STEPS);
    w.op(JNE, step);
  }
}
