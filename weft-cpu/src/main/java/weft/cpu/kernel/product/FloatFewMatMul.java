package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.VFMADD231PS;
import static weft.cpu.asm.VectorOp.VHADDPS;
import static weft.cpu.asm.VectorOp.VMOVSS;
import static weft.cpu.asm.VectorOp.VMOVUPS;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Isa;
import weft.cpu.asm.Mem;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.format.FloatCode;

/**
 * The twin of {@link FewMatMul} for rows of floats, halves or bfloats: each register of weights
 * meets the same values of every token, and all sums stay in registers.
 */
public final class FloatFewMatMul {
  /** Each reaches three tokens. */
  private static final Gpr[] X = {RBX, RBP, R12};

  private static final Gpr X_STEP = RCX;
  private static final Gpr STEPS = R13;

  private final KernelWriter w;
  private final FloatCode code;
  private final int tokens;
  private final FewStreams frame;
  private final Vec[][] sums;
  private final Vec[] weights;
  private final Vec x;

  private FloatFewMatMul(KernelWriter w, int tokens, FloatCode code) {
    this.w = w;
    this.code = code;
    this.tokens = tokens;
    int streams = streams(w.isa(), tokens);
    var registers = new Registers(w.isa());
    weights = registers.take(streams);
    x = registers.take();
    sums = new Vec[streams][];
    for (int i = 0; i < streams; i++) {
      sums[i] = registers.take(tokens);
    }
    frame = new FewStreams(w, streams);
  }

  /**
   * The most tokens that a kernel takes: as many as leave room for two rows in flight, or for three
   * where registers are many. The activations of more outgrow the nearest cache, and each step
   * reads all of them, so the more rows share a step the better.
   */
  static int most(Isa isa) {
    return isa == Isa.AVX2 ? 6 : 9;
  }

  /** As many rows in flight as have room for their sums, up to four. */
  private static int streams(Isa isa, int tokens) {
    int registers = isa == Isa.AVX2 ? 16 : 32;
    return Math.min(4, (registers - 1) / (tokens + 1));
  }

  /**
   * @param tokens just as many as the kernel is for
   */
  static void emit(KernelWriter w, String name, int tokens, FloatCode code) {
    w.begin(name);
    var kernel = new FloatFewMatMul(w, tokens, code);
    kernel.frame.emit(
        () -> w.op(MOV, X_STEP, at(ARGUMENTS, MatMulArguments.X_BYTES)),
        kernel::rows,
        kernel::results);
    w.end();
  }

  private void rows(int streams) {
    int lanes = x.bits() / 32;
    for (int i = 0; i < streams; i++) {
      for (var sum : sums[i]) {
        w.zero(sum);
      }
    }
    w.op(MOV, X[0], at(ARGUMENTS, MatMulArguments.X));
    w.op(LEA, RAX, at(X_STEP, X_STEP, 2));
    for (int i = 1; 3 * i < tokens; i++) {
      w.op(LEA, X[i], at(X[i - 1], RAX, 1));
    }
    new FloatSteps(w, STEPS).emit(lanes, () -> many(streams, lanes), () -> one(streams));
  }

  private void many(int streams, int lanes) {
    for (int i = 0; i < streams; i++) {
      code.load(w, weights[i], frame.place(i).at(0));
    }
    for (int t = 0; t < tokens; t++) {
      w.op(VMOVUPS, x, token(t));
      multiply(streams, t);
    }
    advance(lanes);
  }

  private void one(int streams) {
    for (int i = 0; i < streams; i++) {
      code.loadOne(w, weights[i], frame.place(i).at(0));
    }
    for (int t = 0; t < tokens; t++) {
      w.op(VMOVSS, x.x(), token(t));
      multiply(streams, t);
    }
    advance(1);
  }

  private void multiply(int streams, int token) {
    for (int i = 0; i < streams; i++) {
      w.op(VFMADD231PS, sums[i][token], weights[i], x);
    }
  }

  private void advance(int values) {
    frame.advance(values * code.bytes());
    for (int i = 0; 3 * i < tokens; i++) {
      w.op(ADD, X[i], imm(4 * values));
    }
  }

  private static Mem token(int token) {
    var base = X[token / 3];
    return switch (token % 3) {
      case 0 -> at(base);
      case 1 -> at(base, X_STEP, 1);
      default -> at(base, X_STEP, 2);
    };
  }

  private void results(int streams) {
    // Only the first sixteen registers have the forms that add lanes up: x and a weight are there.
    var low = x.x();
    for (int i = 0; i < streams; i++) {
      frame.out(RBX, i);
      for (var sum : sums[i]) {
        w.op(VMOVUPS, x, sum);
        w.fold(x, weights[0]);
        w.op(VHADDPS, low, low, low);
        w.op(VHADDPS, low, low, low);
        w.op(VMOVSS, at(RBX), low);
        w.op(ADD, RBX, at(ARGUMENTS, MatMulArguments.OUT_BYTES));
      }
    }
  }
}
