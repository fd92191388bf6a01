package weft.cpu.kernel;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Isa;
import weft.cpu.asm.Label;
import weft.cpu.asm.Mask;
import weft.cpu.asm.Mem;
import weft.cpu.asm.Vec;

/**
 * The function that multiplies two registers' rows of a {@link Panel} with a few tokens and keeps
 * all of their sums in registers: 32 rows in 512 bits, 16 in 256.
 *
 * <p>Four activation bytes of a token are broadcast and meet the same four values of many rows at
 * once; after each run the integer sums are scaled into the float sums. What made the bytes
 * unsigned is taken back by the value the integer sums begin with.
 */
final class Tile {
  /** In 512 bits, the rows of the panel that there are. */
  static final Mask LOWER_ROWS = Mask.k(6);

  static final Mask UPPER_ROWS = Mask.k(7);

  /** In 256 bits, where the masks of the rows are; a tile there has no fourth token. */
  static final Gpr MASKS = R14;

  /** What the function takes; it changes them and the vectors, and keeps the others. */
  static final Gpr X = R8;

  static final Gpr X_STEP = R10;
  static final Gpr X_SCALE = R11;
  static final Gpr X_SUM = R13;
  static final Gpr BYTES = RAX;
  static final Gpr SCALES = RBX;
  static final Gpr MINIMUMS = RCX;
  static final Gpr BLOCKS = RDX;
  static final Gpr OUT = RSI;
  static final Gpr OUT_STEP = RBP;

  /** Zero where the sums begin, else they go on from what the results hold. */
  static final Gpr GOES_ON = R15;

  /** The same for the fourth token and those behind it. */
  private static final Gpr X_4 = R9;

  private static final Gpr X_SCALE_4 = R12;
  private static final Gpr X_SUM_4 = R14;

  private static final int HALVES = 2;
  private static final int BLOCK = 32;

  /**
   * What a tile needs to know of a format.
   *
   * @param zero what is taken from each byte, or zero where there are minimums
   * @param run values under one scale
   * @param highest the largest byte
   */
  record Kind(int zero, int run, int highest) {
    static Kind of(BlockCode code) {
      return new Kind(code.zero(), code.run(), code.highest() > 127 ? 255 : 127);
    }

    boolean hasMinimums() {
      return zero == 0;
    }
  }

  private final KernelWriter w;
  private final Kind kind;
  private final int tokens;
  private final ByteDot dot;
  private final Vec[][] integers;
  private final Vec[][] sums;
  private final Vec[] weights;
  private final int length;
  private final Vec x;

  private Tile(KernelWriter w, Kind kind, int tokens) {
    this.w = w;
    this.kind = kind;
    this.tokens = tokens;
    var registers = new Registers(w.isa());
    integers = new Vec[tokens][];
    sums = new Vec[tokens][];
    for (int t = 0; t < tokens; t++) {
      integers[t] = registers.take(HALVES);
      sums[t] = registers.take(HALVES);
    }
    weights = registers.take(HALVES);
    x = registers.take();
    dot = ByteDot.of(w, registers, kind.highest());
    length = x.bytes();
  }

  /** The most tokens whose sums fit in the registers. */
  static int most(Isa isa) {
    return switch (isa) {
      case AVX2 -> 2;
      case AVX512 -> 5;
      case VNNI -> 6;
    };
  }

  /** The rows that a tile multiplies. */
  static int rows(Isa isa) {
    return HALVES * isa.vectorBits() / 32;
  }

  static Label emit(KernelWriter w, Kind kind, int tokens) {
    var entry = w.label("tile" + tokens);
    w.loop(entry);
    new Tile(w, kind, tokens).emit();
    return entry;
  }

  private void emit() {
    var block = w.label("block");
    var results = new TileResults(w, sums, x);
    results.begin(X_4);
    if (tokens > 3) {
      w.op(LEA, X_4, at(X_STEP, X_STEP, 2));
      w.op(LEA, X_SCALE_4, at(X_SCALE, X_4, 1));
      w.op(LEA, X_SUM_4, at(X_SUM, X_4, 1));
      w.op(ADD, X_4, X);
    }
    w.loop(block);
    for (int run = 0; run < BLOCK / kind.run(); run++) {
      integers(run);
      for (int four = run * kind.run() / 4; four < (run + 1) * kind.run() / 4; four++) {
        multiply(four);
      }
      scale(run);
    }
    advance();
    w.op(DEC, BLOCKS);
    w.op(JNE, block);
    results.store();
    w.op(RET);
  }

  private void integers(int run) {
    for (int t = 0; t < tokens; t++) {
      if (kind.zero() == 0) {
        w.zero(integers[t][0]);
        w.zero(integers[t][1]);
      } else {
        w.op(VPBROADCASTD, integers[t][0], token(t, X_SUM, X_SUM_4, 4 * run));
        w.op(
            VPSLLD,
            integers[t][0],
            integers[t][0],
            imm(Integer.numberOfTrailingZeros(kind.zero())));
        w.move(integers[t][1], integers[t][0]);
      }
    }
  }

  private void multiply(int four) {
    w.load(weights[0], at(BYTES, 4 * Panel.ROWS * four));
    w.load(weights[1], at(BYTES, 4 * Panel.ROWS * four + length));
    for (int t = 0; t < tokens; t++) {
      w.op(VPBROADCASTD, x, token(t, X, X_4, 4 * four));
      dot.add(integers[t][0], weights[0], x);
      dot.add(integers[t][1], weights[1], x);
    }
  }

  private void scale(int run) {
    for (int t = 0; t < tokens; t++) {
      w.op(VBROADCASTSS, x, token(t, X_SCALE, X_SCALE_4, 0));
      for (int half = 0; half < HALVES; half++) {
        w.op(VCVTDQ2PS, integers[t][half], integers[t][half]);
        w.op(VMULPS, weights[half], x, at(SCALES, 4 * Panel.ROWS * run + length * half));
        w.op(VFMADD231PS, sums[t][half], integers[t][half], weights[half]);
      }
    }
    if (!kind.hasMinimums()) {
      return;
    }
    for (int t = 0; t < tokens; t++) {
      sum(t, run);
      for (int half = 0; half < HALVES; half++) {
        w.op(VFMADD231PS, sums[t][half], x, at(MINIMUMS, 4 * Panel.ROWS * run + length * half));
      }
    }
  }

  /** {@code x} becomes what the minimums of a run multiply: the scaled sum of its activations. */
  private void sum(int token, int run) {
    if (kind.run() == BLOCK) {
      w.op(VBROADCASTSS, x, token(token, X_SUM, X_SUM_4, 0));
    } else {
      w.op(VPBROADCASTD, x, token(token, X_SUM, X_SUM_4, 4 * run));
      w.op(VCVTDQ2PS, x, x);
      w.op(VBROADCASTSS, weights[0], token(token, X_SCALE, X_SCALE_4, 0));
      w.op(VMULPS, x, x, weights[0]);
    }
  }

  private void advance() {
    int runs = BLOCK / kind.run();
    w.op(ADD, BYTES, imm(BLOCK * Panel.ROWS));
    w.op(ADD, SCALES, imm(4 * Panel.ROWS * runs));
    if (kind.hasMinimums()) {
      w.op(ADD, MINIMUMS, imm(4 * Panel.ROWS * runs));
    }
    w.op(ADD, X, imm(BLOCK));
    w.op(ADD, X_SCALE, imm(4));
    w.op(ADD, X_SUM, imm(4 * runs));
    if (tokens > 3) {
      w.op(ADD, X_4, imm(BLOCK));
      w.op(ADD, X_SCALE_4, imm(4));
      w.op(ADD, X_SUM_4, imm(4 * runs));
    }
  }

  /** A place in the row of a token: three are reached from one register, three from another. */
  private static Mem token(int token, Gpr first, Gpr fourth, int offset) {
    var base = token < 3 ? first : fourth;
    return switch (token % 3) {
      case 0 -> at(base, offset);
      case 1 -> at(base, X_STEP, 1, offset);
      default -> at(base, X_STEP, 2, offset);
    };
  }
}
