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
 * One row of float activations, or a few, against rows of floats, halves or bfloats of any length:
 * each register of weights meets the same values of some tokens, whose sums stay in registers.
 *
 * <p>The tokens take turns while the rows are in the nearest cache. Every token's sum is added up
 * in the same order, so a result has the same bits in whatever company.
 */
public final class FloatFewMatMul {
  /** Each reaches three tokens. */
  private static final Gpr[] X = {RBX, RBP, R12};

  /**
   * How far ahead of a row lines are asked for, which the processor's own prefetchers do too late
   * where tokens keep it busy: on two Zen 4 cores eight tokens of F16 went from 62 to 83 billion
   * products a second by 512 bytes, two from 27 to 32, and one as it was, which asks for none. Two
   * cores of a Zen 5 have 45, 76 and 124 of two, four and eight tokens with 512 bytes, 49, 85 and
   * 139 with these.
   */
  private static final int AHEAD = 1024;

  /** With AVX-512, the most tokens that do not take turns. */
  private static final int MOST_TOGETHER = 6;

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
    int turn = turn(w.isa(), tokens, 0);
    int streams = streams(w.isa(), tokens);
    var registers = new Registers(w.isa());
    weights = registers.take(streams);
    x = registers.take();
    sums = new Vec[streams][];
    for (int i = 0; i < streams; i++) {
      sums[i] = registers.take(turn);
    }
    frame = new FewStreams(w, streams);
  }

  /** The most tokens that a kernel takes: beyond, unpacking a panel once is cheaper. */
  static int most(Isa isa) {
    return isa == Isa.AVX2 ? 32 : 9;
  }

  /**
   * The most tokens that are met in one turn. The activations of more outgrow the nearest cache,
   * and each step reads all of them: so many take turns, beside six rows in the place of three. Two
   * cores of a Zen 5 have 12 to 15% more products of eight tokens of F16 so, and 10% fewer of six.
   */
  private static int together(Isa isa, int tokens) {
    if (isa == Isa.AVX2) return 4;
    return tokens <= MOST_TOGETHER ? MOST_TOGETHER : 5;
  }

  /** How many are met in the turn that begins with one of them: all in turns of about as many. */
  private static int turn(Isa isa, int tokens, int first) {
    int left = tokens - first;
    return Math.ceilDiv(left, Math.ceilDiv(left, together(isa, tokens)));
  }

  /**
   * As many rows in flight as have room for their sums, up to four, which memory serves best, or
   * six, which share the activations of those that take turns.
   */
  private static int streams(Isa isa, int tokens) {
    int registers = isa == Isa.AVX2 ? 16 : 32;
    int most = isa == Isa.AVX2 || tokens <= MOST_TOGETHER ? 4 : 6;
    return Math.min(most, (registers - 1) / (turn(isa, tokens, 0) + 1));
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
        streams -> w.note("each turn has written its own"));
    w.end();
  }

  private void rows(int streams) {
    for (int first = 0; first < tokens; ) {
      int turn = turn(w.isa(), tokens, first);
      w.note("tokens " + first + " to " + (first + turn - 1));
      turn(streams, first, turn);
      results(streams, first, turn);
      first += turn;
      if (first < tokens) {
        frame.back();
      }
    }
  }

  private void turn(int streams, int first, int tokens) {
    int lanes = x.bits() / 32;
    for (int i = 0; i < streams; i++) {
      for (int t = 0; t < tokens; t++) {
        w.zero(sums[i][t]);
      }
    }
    w.op(IMUL, X[0], X_STEP, imm(first));
    w.op(ADD, X[0], at(ARGUMENTS, MatMulArguments.X));
    w.op(LEA, RAX, at(X_STEP, X_STEP, 2));
    for (int i = 1; 3 * i < tokens; i++) {
      w.op(LEA, X[i], at(X[i - 1], RAX, 1));
    }
    new FloatSteps(w, STEPS)
        .emit(lanes, () -> many(streams, tokens, lanes), () -> one(streams, tokens));
  }

  private void many(int streams, int tokens, int lanes) {
    for (int i = 0; i < streams; i++) {
      if (tokens > 1) {
        w.op(PREFETCHT0, frame.place(i).at(AHEAD));
      }
      code.load(w, weights[i], frame.place(i).at(0));
    }
    for (int t = 0; t < tokens; t++) {
      w.op(VMOVUPS, x, token(t));
      multiply(streams, t);
    }
    advance(tokens, lanes);
  }

  private void one(int streams, int tokens) {
    for (int i = 0; i < streams; i++) {
      code.loadOne(w, weights[i], frame.place(i).at(0));
    }
    for (int t = 0; t < tokens; t++) {
      w.op(VMOVSS, x.x(), token(t));
      multiply(streams, t);
    }
    advance(tokens, 1);
  }

  private void multiply(int streams, int token) {
    for (int i = 0; i < streams; i++) {
      w.op(VFMADD231PS, sums[i][token], weights[i], x);
    }
  }

  private void advance(int tokens, int values) {
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

  private void results(int streams, int first, int tokens) {
    // Only the first sixteen registers have the forms that add lanes up: x and a weight are there.
    var low = x.x();
    for (int i = 0; i < streams; i++) {
      w.op(IMUL, RBX, at(ARGUMENTS, MatMulArguments.OUT_BYTES), imm(first));
      frame.out(RBP, i);
      w.op(ADD, RBX, RBP);
      for (int t = 0; t < tokens; t++) {
        w.op(VMOVUPS, x, sums[i][t]);
        w.fold(x, weights[0]);
        w.op(VHADDPS, low, low, low);
        w.op(VHADDPS, low, low, low);
        w.op(VMOVSS, at(RBX), low);
        w.op(ADD, RBX, at(ARGUMENTS, MatMulArguments.OUT_BYTES));
      }
    }
  }
}
