package weft.cpu.kernel.product;

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
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.format.BlockCode;
import weft.cpu.kernel.format.LongBlockCode;
import weft.cpu.kernel.format.MinimumsApart;
import weft.cpu.kernel.format.ShortBlockCode;

/**
 * The function that multiplies two registers' rows of a {@link Panel} with a few tokens and keeps
 * all of their sums in registers: 32 rows in 512 bits, 16 in 256.
 *
 * <p>Four activation bytes of a token are broadcast and meet the same four values of many rows at
 * once; after each run the integer sums, scaled, are added to the float sums. What made the bytes
 * unsigned is taken back by the value the integer sums begin with.
 *
 * <p>On Zen 4 a multiplication of any kind takes one of the two pipes that the dot products need;
 * conversions, additions and loads take none. So 256 values under one scale of the activations are
 * summed by the weights' scales alone, which are whole numbers, and their sums, scaled once, join
 * those before them, which wait on the stack. Minimums, as words, take half a multiplication each.
 *
 * <p>A float holds such a sum to the last bit while it is below 2^24, of which a block of Gaussian
 * numbers comes to some fiftieth: so a token has the bits that kernels of a few tokens have, which
 * count in whole numbers.
 */
public final class Tile {
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

  /** Blocks left under one scale of the activations, once the sums have begun. */
  private static final Gpr COUNT = GOES_ON;

  /** The same for the fourth token and those behind it. */
  private static final Gpr X_4 = R9;

  private static final Gpr X_SCALE_4 = R12;
  private static final Gpr X_SUM_4 = R14;

  /**
   * Without minimums: how far the rows of the next tile, which lie behind those of this one, are
   * asked for. The first lines of each, which no stream tells the processor, would be waited for.
   */
  private static final Gpr NEXT = MINIMUMS;

  private static final int LINE = 64;

  /** Lines of six rows for each 32 values: bytes, scales, sums and what pads them. */
  private static final int LINES_AHEAD = 4;

  private static final int HALVES = 2;
  private static final int BLOCK = 32;

  /** From where a call leaves the stack to the next line of the cache below. */
  private static final int TO_LINE = MatMul.LINE - 8;

  /** How the minimums of a format lie in a {@link Panel}. */
  enum Minimums {
    NONE,
    FLOATS,
    WORDS;

    static Minimums of(BlockCode code) {
      if (!code.hasMinimums()) {
        return NONE;
      }
      return switch (code) {
        case ShortBlockCode _, MinimumsApart _ -> FLOATS;
        case LongBlockCode _ -> WORDS;
      };
    }
  }

  /**
   * What a tile needs to know of a format.
   *
   * @param zero what is taken from each byte, or zero where there are minimums or signed bytes
   * @param run values under one scale
   * @param highest the largest byte
   * @param shared values under one scale of the activations
   * @param minimums where zero is zero
   */
  record Kind(int zero, int run, int highest, int shared, Minimums minimums) {
    static Kind of(Isa isa, BlockCode code) {
      int shared =
          switch (code) {
            case ShortBlockCode _ -> ShortBlockCode.VALUES;
            case LongBlockCode _ -> LongBlockCode.VALUES;
          };
      int zero = RunDot.meetsSigned(isa, code.highest()) ? 0 : code.zero();
      return new Kind(zero, code.run(), code.highest(), shared, Minimums.of(code));
    }

    /** What meets the minimums, or what zero multiplies. */
    Activations.Sums sums() {
      return switch (minimums) {
        case NONE -> run == BLOCK ? Activations.Sums.CSUM : Activations.Sums.CSUM16;
        case FLOATS -> run == BLOCK ? Activations.Sums.NSUM : Activations.Sums.CSUM16;
        case WORDS -> Activations.Sums.WSUM;
      };
    }
  }

  private final KernelWriter w;
  private final Kind kind;
  private final int tokens;
  private final RunDot dot;
  private final Vec[][] integers;
  private final Vec[][] sums;
  private final Vec[] weights;
  private final int length;
  private final Vec x;
  private final Vec t;

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
    dot = RunDot.of(w, registers, kind.highest(), kind.run());
    t = dot instanceof RunDot.OneByOne ? x : registers.take();
    length = x.bytes();
  }

  /** The most tokens whose sums fit in the registers. */
  static int most(Isa isa) {
    return switch (isa) {
      case AVX2 -> 2;
      case AVX512 -> 5;
      case VNNI, AMX -> 6;
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
    var results = new TileResults(w, sums, weights, x);
    results.begin(X_4);
    if (tokens > 3) {
      w.op(LEA, X_4, at(X_STEP, X_STEP, 2));
      w.op(LEA, X_SCALE_4, at(X_SCALE, X_4, 1));
      w.op(LEA, X_SUM_4, at(X_SUM, X_4, 1));
      w.op(ADD, X_4, X);
    }
    if (asksAhead()) {
      w.op(LEA, NEXT, at(X, X_STEP, 4));
      w.op(LEA, NEXT, at(NEXT, X_STEP, 2));
    }
    if (kind.shared() == BLOCK) {
      blocks(BLOCKS);
    } else {
      sharedBlocks();
    }
    results.store();
    w.op(RET);
  }

  /** Only where as many tokens follow. */
  private boolean asksAhead() {
    return tokens == 6 && kind.minimums() == Minimums.NONE;
  }

  private void ask() {
    for (int line = 0; line < LINES_AHEAD; line++) w.op(PREFETCHT1, at(NEXT, line * LINE));
    w.op(ADD, NEXT, imm(LINES_AHEAD * LINE));
  }

  /** As many blocks of 32 values as {@code count} says. */
  private void blocks(Gpr count) {
    var block = w.label("block");
    w.loop(block);
    if (asksAhead()) ask();
    for (int run = 0; run < BLOCK / kind.run(); run++) {
      integers(run);
      for (int four = run * kind.run() / 4; four < (run + 1) * kind.run() / 4; four++) {
        multiply(four, four == run * kind.run() / 4);
      }
      end(run);
      scale(run);
    }
    advance();
    w.op(DEC, count);
    w.op(JNE, block);
  }

  /** The blocks under one scale of the activations, and again until all are met. */
  private void sharedBlocks() {
    var next = w.label("shared");
    int inEach = kind.shared() / BLOCK;
    int stack = HALVES * length * tokens + TO_LINE;
    w.op(SHR, BLOCKS, imm(Integer.numberOfTrailingZeros(inEach)));
    w.op(SUB, RSP, imm(stack));
    w.loop(next);
    for (int t = 0; t < tokens; t++) {
      for (int half = 0; half < HALVES; half++) {
        w.store(waiting(t, half), sums[t][half]);
      }
      w.zero(sums[t][0]);
      w.zero(sums[t][1]);
    }
    w.op(MOV, COUNT.d(), imm(inEach));
    blocks(COUNT);
    for (int t = 0; t < tokens; t++) {
      w.note("the scale of the last block is that of all");
      w.op(VBROADCASTSS, x, token(t, X_SCALE, X_SCALE_4, -4));
      for (int half = 0; half < HALVES; half++) {
        w.op(VMULPS, weights[half], x, at(SCALES, length * half));
        w.op(VFMADD213PS, sums[t][half], weights[half], waiting(t, half));
      }
      if (kind.minimums() == Minimums.WORDS) {
        minimums(t);
      }
    }
    w.op(ADD, SCALES, imm(4 * Panel.ROWS));
    if (kind.minimums() == Minimums.WORDS) {
      w.op(ADD, MINIMUMS, imm(Panel.MINIMUMS_STEP));
      w.op(ADD, X_SUM, imm(4 * Panel.PAIRS));
      if (tokens > 3) {
        w.op(ADD, X_SUM_4, imm(4 * Panel.PAIRS));
      }
    }
    w.op(DEC, BLOCKS);
    w.op(JNE, next);
    w.op(ADD, RSP, imm(stack));
  }

  private Mem waiting(int token, int half) {
    return at(RSP, length * (HALVES * token + half));
  }

  /**
   * The minimums of 256 values against the sums of a token's bytes join its sums: no more than
   * eight products of 63 and 32 · 128, so far from overflow.
   */
  private void minimums(int token) {
    for (int pair = 0; pair < Panel.PAIRS; pair++) {
      w.op(VPBROADCASTD, x, token(token, X_SUM, X_SUM_4, 4 * pair));
      for (int half = 0; half < HALVES; half++) {
        var words = at(MINIMUMS, 4 * Panel.ROWS * pair + length * half);
        var integer = integers[token][half];
        if (pair == 0) {
          w.op(VPMADDWD, integer, x, words);
        } else if (w.isa().includes(Isa.VNNI)) {
          w.op(VPDPWSSD, integer, x, words);
        } else {
          w.op(VPMADDWD, weights[half], x, words);
          w.op(VPADDD, integer, integer, weights[half]);
        }
      }
    }
    w.op(VBROADCASTSS, x, token(token, X_SCALE, X_SCALE_4, -4));
    for (int half = 0; half < HALVES; half++) {
      var unit = at(MINIMUMS, 4 * Panel.ROWS * Panel.PAIRS + length * half);
      w.op(VCVTDQ2PS, integers[token][half], integers[token][half]);
      w.op(VMULPS, weights[half], x, unit);
      w.op(VFMADD231PS, sums[token][half], integers[token][half], weights[half]);
    }
  }

  private void integers(int run) {
    for (int t = 0; t < tokens; t++) {
      if (kind.zero() == 0 || dot instanceof RunDot.Words) {
        dot.begin(integers[t][0]);
        dot.begin(integers[t][1]);
      } else {
        start(integers[t][0], t, run);
        w.move(integers[t][1], integers[t][0]);
      }
    }
  }

  /** What takes back that the bytes of a run are unsigned. */
  private void start(Vec to, int token, int run) {
    w.op(VPBROADCASTD, to, token(token, X_SUM, X_SUM_4, 4 * run));
    w.op(VPSLLD, to, to, imm(Integer.numberOfTrailingZeros(kind.zero())));
  }

  /** Leaves integers, also where words took what they begin with no earlier. */
  private void end(int run) {
    for (int t = 0; t < tokens; t++) {
      dot.end(integers[t][0]);
      dot.end(integers[t][1]);
      if (kind.zero() > 0 && dot instanceof RunDot.Words) {
        start(x, t, run);
        w.op(VPADDD, integers[t][0], integers[t][0], x);
        w.op(VPADDD, integers[t][1], integers[t][1], x);
      }
    }
  }

  private void multiply(int four, boolean isFirst) {
    w.load(weights[0], at(BYTES, 4 * Panel.ROWS * four));
    w.load(weights[1], at(BYTES, 4 * Panel.ROWS * four + length));
    for (int token = 0; token < tokens; token++) {
      w.op(VPBROADCASTD, x, token(token, X, X_4, 4 * four));
      dot.add(integers[token][0], weights[0], x, t, isFirst);
      dot.add(integers[token][1], weights[1], x, t, isFirst);
    }
  }

  private void scale(int run) {
    for (int t = 0; t < tokens; t++) {
      if (kind.shared() == BLOCK) {
        w.op(VBROADCASTSS, x, token(t, X_SCALE, X_SCALE_4, 0));
      }
      for (int half = 0; half < HALVES; half++) {
        var scales = at(SCALES, 4 * Panel.ROWS * run + length * half);
        w.op(VCVTDQ2PS, integers[t][half], integers[t][half]);
        if (kind.shared() == BLOCK) {
          w.op(VMULPS, weights[half], x, scales);
          w.op(VFMADD231PS, sums[t][half], integers[t][half], weights[half]);
        } else {
          w.op(VFMADD231PS, sums[t][half], integers[t][half], scales);
        }
      }
    }
    if (kind.minimums() == Minimums.FLOATS) {
      floatMinimums(run);
    }
  }

  /** Adds the minimums of a run times the sum of its activations. */
  private void floatMinimums(int run) {
    for (int t = 0; t < tokens; t++) {
      w.op(VPBROADCASTD, x, token(t, X_SUM, X_SUM_4, 4 * run));
      if (kind.sums() != Activations.Sums.NSUM) {
        w.op(VCVTDQ2PS, x, x);
      }
      for (int half = 0; half < HALVES; half++) {
        w.op(VFMADD231PS, sums[t][half], x, at(MINIMUMS, 4 * Panel.ROWS * run + length * half));
      }
    }
  }

  private void advance() {
    int runs = BLOCK / kind.run();
    w.op(ADD, BYTES, imm(BLOCK * Panel.ROWS));
    w.op(ADD, SCALES, imm(4 * Panel.ROWS * runs));
    if (kind.minimums() == Minimums.FLOATS) {
      w.op(ADD, MINIMUMS, imm(4 * Panel.ROWS * runs));
    }
    w.op(ADD, X, imm(BLOCK));
    w.op(ADD, X_SCALE, imm(4));
    if (tokens > 3) {
      w.op(ADD, X_4, imm(BLOCK));
      w.op(ADD, X_SCALE_4, imm(4));
    }
    if (kind.minimums() != Minimums.WORDS) {
      w.op(ADD, X_SUM, imm(4 * runs));
      if (tokens > 3) {
        w.op(ADD, X_SUM_4, imm(4 * runs));
      }
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
