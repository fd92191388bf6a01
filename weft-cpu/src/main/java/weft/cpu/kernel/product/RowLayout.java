package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.emit.KernelWriter.SCRATCH;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Mem;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.format.LongBlockCode;

/**
 * How {@link Activations} of a few tokens lie in a worker's scratch memory for {@link
 * LongBlockRows}: 256 values after another, and of those all that the kernel reads, token by token.
 * A single token is read where it is.
 *
 * <pre>
 *   scales     8 floats           of the token that each lane of results is for
 *   tokens of
 *     x        256 bytes
 *     sums     8 or 16 words
 * </pre>
 *
 * @param tokens that a kernel takes: 1, 2 or 4
 * @param sums which of them a kernel meets
 */
record RowLayout(int tokens, Activations.Sums sums) {
  /** Results in flight: of each token as many rows as make a register of them. */
  static final int LANES = 8;

  static final int STEP = 256;

  /** Bytes of a vector of 256 bits. */
  static final int LENGTH = 32;

  private static final Gpr TOKEN = R8;
  private static final Gpr STEPS = R11;
  private static final Gpr X = RBX;
  private static final Gpr X_SCALE = RBP;
  private static final Gpr X_SUM = R12;
  private static final Gpr TO = R13;
  private static final Gpr PADDED = R14;
  private static final Gpr TOKENS = R15;
  private static final Vec T = Vec.ymm(0);

  /** What the largest layout takes. */
  static final int SIZE =
      FewLayout.MOST_VALUES / STEP * new RowLayout(4, Activations.Sums.CSUM16).stepBytes();

  static RowLayout of(LongBlockCode code, int tokens) {
    boolean isOfBlocks = code.run() == Activations.BLOCK;
    return new RowLayout(tokens, isOfBlocks ? Activations.Sums.WSUM : Activations.Sums.CSUM16);
  }

  boolean isAlone() {
    return tokens == 1;
  }

  /** Rows that are read side by side. */
  int streams() {
    return Math.min(4, LANES / tokens);
  }

  /** Where in a step the bytes of a token are. */
  int x(int token) {
    return LENGTH + token * (STEP + LENGTH);
  }

  /** Where in a step the sums of a token are. */
  int sums(int token) {
    return x(token) + STEP;
  }

  int stepBytes() {
    return x(tokens);
  }

  /**
   * Lays the activations so. Where there are fewer tokens than places, the last one stands in for
   * those behind it. Keeps rsi, rdx, rdi and rcx.
   */
  void emitPack(KernelWriter w) {
    w.op(MOV, PADDED, at(ARGUMENTS, MatMulArguments.K));
    w.op(ADD, PADDED, imm(Activations.PADDING - 1));
    w.op(AND, PADDED, imm(-Activations.PADDING));
    w.op(MOV, TOKEN, at(ARGUMENTS, MatMulArguments.X));
    w.op(MOV, TOKENS, at(ARGUMENTS, MatMulArguments.TOKENS));
    for (int token = 0; token < tokens; token++) {
      pack(w, token);
    }
  }

  private void pack(KernelWriter w, int token) {
    var step = w.label("packed");
    var last = w.label("last");
    w.note("token " + token);
    w.op(MOV, X, TOKEN);
    w.op(LEA, X_SCALE, at(TOKEN, PADDED, 1));
    w.op(MOV, STEPS, PADDED);
    w.op(SHR, STEPS, imm(3));
    w.op(IMUL, X_SUM, STEPS, imm(sums.eighths()));
    w.op(ADD, X_SUM, X_SCALE);
    w.op(SHR, STEPS, imm(5));
    w.op(MOV, TO, SCRATCH);
    w.loop(step);
    for (int i = 0; i < STEP; i += LENGTH) {
      w.op(VMOVDQU, T, at(X, i));
      w.op(VMOVDQU, at(TO, x(token) + i), T);
    }
    w.op(MOV, RAX.d(), at(X_SCALE));
    for (int lane = token; lane < LANES; lane += tokens) {
      w.op(MOV, at(TO, 4 * lane), RAX.d());
    }
    if (sums == Activations.Sums.WSUM) {
      w.op(VMOVDQU, T.x(), at(X_SUM));
    } else {
      sixteenWords(w, T, at(X_SUM), at(X_SUM, LENGTH));
    }
    w.op(VMOVDQU, at(TO, sums(token)), T);
    w.op(ADD, X, imm(STEP));
    w.op(ADD, X_SCALE, imm(LENGTH));
    w.op(ADD, X_SUM, imm(STEP / sums.valuesPerByte()));
    w.op(ADD, TO, imm(stepBytes()));
    w.op(DEC, STEPS);
    w.op(JNE, step);
    w.op(DEC, TOKENS);
    w.op(JLE, last);
    w.op(ADD, TOKEN, at(ARGUMENTS, MatMulArguments.X_BYTES));
    w.bind(last);
  }

  /** Sixteen integers, each as large as a word, become words. */
  static void sixteenWords(KernelWriter w, Vec to, Mem first, Mem second) {
    w.load(to, first);
    w.op(VPACKSSDW, to, to, second);
    w.op(VPERMQ, to, to, imm(0b11_01_10_00));
  }
}
