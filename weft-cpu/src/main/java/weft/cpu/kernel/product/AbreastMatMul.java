package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.emit.KernelWriter.FROM;
import static weft.cpu.kernel.emit.KernelWriter.SCRATCH;
import static weft.cpu.kernel.emit.KernelWriter.TO;

import weft.cpu.asm.CoreCache;
import weft.cpu.asm.Gpr;
import weft.cpu.asm.Label;
import weft.cpu.asm.Mem;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Place;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.format.Abreast;
import weft.cpu.kernel.format.AbreastCode;
import weft.cpu.kernel.format.LongAbreastCode;
import weft.cpu.kernel.format.ShortAbreastCode;
import weft.cpu.kernel.format.Stash;

/**
 * One activation row or a few against packed rows, sixteen of which are taken abreast: a register
 * has four values of each row, and four activations of a token, broadcast, meet them in one
 * instruction of VNNI.
 *
 * <p>Packed bytes change rows for columns before they are taken apart, which is half as many as
 * values in formats of nibbles; scales are taken apart for sixteen rows at once. So unpacking takes
 * as long as three tokens' products, and most of it runs beside them in pipes that do not multiply.
 *
 * <p>Which sixteen, {@link Walk} says; all have the same bits.
 *
 * <p>More tokens than have room in registers take turns while the rows are in cache. A token's
 * result is added up in one order, block by block, so it has the same bits in whatever company; and
 * those of 256-value blocks are the bits of {@link LongBlockRows}.
 */
final class AbreastMatMul {
  private static final Gpr[] BASES = {R8, R9, R10, R11};
  private static final Gpr STRIDE = RSI;
  private static final Gpr STRIDE_3 = RDX;
  private static final Gpr X = RBX;
  private static final Gpr HEADS = RBP;
  private static final Gpr STEPS = R12;
  private static final Gpr TOKENS = R13;
  private static final Gpr OUT = R14;
  private static final Gpr ROW = R15;

  /** While rows meet tokens: what to ask for of the next group. */
  private static final Gpr NEXT = RAX;

  /**
   * How far ahead of a row lines are asked for: sixteen rows' are 8 KiB, a quarter of the nearest
   * cache. On two Zen 4 cores one token read 32 to 48 GB/s of Q4_K so, with 1024 bytes 35 to 42.
   */
  private static final int AHEAD = 512;

  /**
   * How far behind what neighbours ask the nearest cache for they ask the second: who waits for a
   * line asks for no other, so few tokens read memory as fast as many only where it comes from
   * there. Two cores of a Zen 5 have 3 to 16% more products of two to four tokens so.
   */
  private static final int BEYOND = 8 << 10;

  private static final int LINE = 64;

  /** On the stack. */
  private static final int LEFT = 0;

  private static final int GROUPS = 8;
  private static final int OUT_APART = 16;
  private static final int TURN_OUT = 24;
  private static final int NEXT_ROWS = 32;
  private static final int NEXT_OUT = 40;
  private static final int STACK = 48;

  /** Which sixteen rows of a share are taken abreast. */
  enum Walk {
    /**
     * One of each of sixteen runs that the share is cut into: streams that the prefetchers follow
     * from end to end. From memory one token had 32 to 48 GB/s so on two Zen 4 cores, and of
     * neighbours 24 to 29; eight tokens of Q4_K had 255 to 265 GMAC/s, and of neighbours 200 to
     * 220.
     */
    RUNS,

    /**
     * Sixteen neighbours, which lie in memory as one piece; the next piece is asked for from its
     * beginning to its end meanwhile. Two cores of a Zen 5 write 13% more tokens so with eight at a
     * time, 10% with sixteen and 5 to 8% with two to four (Llama-3.2-1B Q4_K_M).
     */
    NEIGHBOURS;

    /** Two groups and the activations of eight tokens need room in a near cache of such a size. */
    private static final int ROOMY = 48 << 10;

    static Walk here() {
      return CoreCache.NEAREST.bytes() >= ROOMY ? NEIGHBOURS : RUNS;
    }
  }

  private final KernelWriter w;
  private final Walk walk;
  private final AbreastCode code;
  private final AbreastLayout layout;
  private final Abreast rows;
  private final Vec[] products;

  /** What the runs of a block came to so far, or what short blocks did, as floats. */
  private final Vec[] sums;

  private final Vec t;
  private final Vec u;

  private AbreastMatMul(KernelWriter w, int tokens, AbreastCode.Format format, Walk walk) {
    this.w = w;
    this.walk = walk;
    var registers = new Registers(512);
    products = registers.take(tokens);
    t = registers.take();
    u = registers.take();
    code = format.code(w, registers, new Stash(SCRATCH, AbreastLayout.STASH));
    sums = registers.take(tokens);
    layout = AbreastLayout.of(code, tokens);
    rows = new Abreast(w, AbreastMatMul::row);
  }

  /**
   * @param tokens of a turn; the kernel takes any number of turns
   */
  static void emit(KernelWriter w, String name, int tokens, AbreastCode.Format format, Walk walk) {
    w.begin(name);
    new AbreastMatMul(w, tokens, format, walk).emit();
    w.end();
  }

  private static Place row(int row) {
    var base = BASES[row / 4];
    return switch (row % 4) {
      case 0 -> Place.of(base);
      case 1 -> Place.of(base, STRIDE, 1);
      case 2 -> Place.of(base, STRIDE, 2);
      default -> Place.of(base, STRIDE_3, 1);
    };
  }

  private static Mem kept(int place) {
    return at(RSP, place).sized(64);
  }

  private void emit() {
    var done = w.label("done");
    var group = w.label("group");
    var end = w.label("end");
    w.op(CMP, FROM, TO);
    w.op(JGE, done);
    w.op(SUB, RSP, imm(STACK));
    new AbreastPack(w, layout, code).emit();
    begin();
    w.bind(group);
    turns();
    w.op(ADD, ROW, kept(NEXT_ROWS));
    w.op(ADD, OUT, kept(NEXT_OUT));
    w.op(DEC, kept(GROUPS));
    w.op(JNE, group);
    w.op(CMP, kept(LEFT), imm(0));
    w.op(JE, end);
    behind();
    w.op(JMP, group);
    w.bind(end);
    w.op(ADD, RSP, imm(STACK));
    w.bind(done);
  }

  /** Groups of sixteen rows, or each row as if it were all sixteen. */
  private void begin() {
    var begun = w.label("begun");
    w.op(MOV, OUT, at(ARGUMENTS, MatMulArguments.OUT));
    w.op(LEA, OUT, at(OUT, FROM, 4));
    w.op(MOV, ROW, FROM);
    w.op(IMUL, ROW, at(ARGUMENTS, MatMulArguments.ROW_BYTES));
    w.op(ADD, ROW, at(ARGUMENTS, MatMulArguments.WEIGHTS));
    w.op(MOV, TOKENS, TO);
    w.op(SUB, TOKENS, FROM);
    w.op(MOV, RAX, TOKENS);
    w.op(SHR, RAX, imm(4));
    if (walk == Walk.RUNS) {
      w.note("an odd number of rows in a run: even ones might meet in the same lines of a cache");
      w.op(DEC, RAX);
      w.op(OR, RAX, imm(1));
    }
    w.op(MOV, kept(GROUPS), RAX);
    w.op(MOV, STEPS, RAX);
    w.op(SHL, STEPS, imm(4));
    w.op(SUB, TOKENS, STEPS);
    w.op(MOV, kept(LEFT), TOKENS);
    next(walk == Walk.RUNS ? 1 : Abreast.ROWS);
    w.op(TEST, RAX, RAX);
    if (walk == Walk.NEIGHBOURS) w.op(MOV, RAX.d(), imm(1));
    w.op(JG, begun);
    w.op(MOV, TOKENS, TO);
    w.op(SUB, TOKENS, FROM);
    w.op(MOV, kept(GROUPS), TOKENS);
    w.op(MOV, kept(LEFT), imm(0));
    next(1);
    w.op(XOR, RAX.d(), RAX.d());
    w.bind(begun);
    apart();
  }

  /** A group begins so many rows behind the one before it. */
  private void next(int rows) {
    w.op(IMUL, STEPS, at(ARGUMENTS, MatMulArguments.ROW_BYTES), imm(rows));
    w.op(MOV, kept(NEXT_ROWS), STEPS);
    w.op(MOV, kept(NEXT_OUT), imm((long) rows * Float.BYTES));
  }

  /** The rows of a group lie as many apart as rax says. */
  private void apart() {
    w.op(LEA, STRIDE_3, at(RAX, RAX, 1));
    w.op(ADD, STRIDE_3, STRIDE_3);
    w.op(MOV, kept(OUT_APART), STRIDE_3);
    w.op(MOV, STRIDE, RAX);
    w.op(IMUL, STRIDE, at(ARGUMENTS, MatMulArguments.ROW_BYTES));
    w.op(LEA, STRIDE_3, at(STRIDE, STRIDE, 2));
  }

  /** Behind the last group: sixteen rows, of which some were met already where fewer are left. */
  private void behind() {
    var enough = w.label("enough");
    if (walk == Walk.RUNS) {
      w.op(IMUL, RAX, STRIDE, imm(Abreast.ROWS - 1));
      w.op(ADD, ROW, RAX);
      w.op(IMUL, RAX, kept(OUT_APART), imm(Abreast.ROWS - 1));
      w.op(ADD, OUT, RAX);
    }
    w.op(SUB, kept(LEFT), imm(Abreast.ROWS));
    w.op(MOV, RAX, kept(LEFT));
    w.op(JGE, enough);
    w.op(LEA, OUT, at(OUT, RAX, 4));
    w.op(IMUL, RAX, at(ARGUMENTS, MatMulArguments.ROW_BYTES));
    w.op(ADD, ROW, RAX);
    w.op(MOV, kept(LEFT), imm(0));
    w.bind(enough);
    w.op(MOV, kept(GROUPS), imm(1));
    w.op(MOV, RAX.d(), imm(1));
    apart();
  }

  /** Rows against all tokens. */
  private void turns() {
    var turn = w.label("turn");
    var step = w.label("step");
    var done = w.label("met");
    w.op(LEA, X, at(SCRATCH, AbreastLayout.X));
    w.op(LEA, HEADS, at(SCRATCH, AbreastLayout.HEADS));
    w.op(MOV, TOKENS, at(ARGUMENTS, MatMulArguments.TOKENS));
    w.op(MOV, kept(TURN_OUT), OUT);
    w.bind(turn);
    w.op(MOV, BASES[0], ROW);
    if (walk == Walk.NEIGHBOURS) {
      w.op(MOV, NEXT, ROW);
      w.op(ADD, NEXT, kept(NEXT_ROWS));
    }
    for (int i = 1; i < BASES.length; i++) {
      w.op(LEA, BASES[i], at(BASES[i - 1], STRIDE, 4));
    }
    for (int token = 0; token < layout.tokens(); token++) {
      w.zero(sums[token]);
      if (code instanceof LongAbreastCode) {
        w.store(sum(token), sums[token]);
      }
    }
    w.op(MOV, STEPS, at(ARGUMENTS, MatMulArguments.K));
    w.op(SHR, STEPS, imm(Integer.numberOfTrailingZeros(layout.values())));
    w.loop(step);
    step();
    w.op(DEC, STEPS);
    w.op(JNE, step);
    if (code instanceof ShortAbreastCode) {
      for (int token = 0; token < layout.tokens(); token++) {
        w.store(sum(token), sums[token]);
      }
    }
    results(done);
    w.op(JMP, turn);
    w.bind(done);
  }

  private void step() {
    code.block(rows, new Meet());
    if (code instanceof LongAbreastCode blocks) {
      finish(blocks);
    }
    for (var base : BASES) {
      w.op(ADD, base, imm(code.blockBytes()));
    }
    w.op(ADD, HEADS, imm(layout.headBytes()));
    if (walk == Walk.NEIGHBOURS) w.op(ADD, NEXT, imm(Abreast.ROWS * code.blockBytes()));
  }

  /** Asks for what will be read further on, of a block's lines some with each four values. */
  private void prefetch(int from, int to) {
    int lines = Math.ceilDiv(code.blockBytes(), LINE);
    int all =
        switch (walk) {
          case RUNS -> Abreast.ROWS * lines;
          case NEIGHBOURS -> Math.ceilDiv(Abreast.ROWS * code.blockBytes(), LINE);
        };
    for (int i = all * from / layout.values(); i < all * to / layout.values(); i++) {
      switch (walk) {
        case RUNS -> w.op(PREFETCHT0, row(i / lines).at(AHEAD + LINE * (i % lines)));
        case NEIGHBOURS -> {
          w.op(PREFETCHT0, at(NEXT, LINE * i));
          w.op(PREFETCHT1, at(NEXT, LINE * i + BEYOND));
        }
      }
    }
  }

  private static Mem sum(int token) {
    return at(SCRATCH, AbreastLayout.SUMS + AbreastLayout.LENGTH * token);
  }

  /** A block against the tokens of a turn. */
  private final class Meet implements AbreastCode.Meeting {
    private int run;
    private int values;

    @Override
    public void begin() {
      for (int token = 0; token < layout.tokens(); token++) {
        if (code.hasMinimums()) {
          w.zero(products[token]);
        } else {
          w.op(VPBROADCASTD, products[token], at(HEADS, layout.sum(run, token)));
        }
      }
    }

    @Override
    public void meet(Vec weights) {
      int chunk = values / AbreastCode.CHUNK % 2;
      for (int token = 0; token < layout.tokens(); token++) {
        int from = layout.chunkBytes() * chunk + AbreastCode.CHUNK * token;
        var x = at(X, from + values % AbreastCode.CHUNK);
        w.op(VPDPBUSD, products[token], weights, x.each());
      }
      prefetch(values, values + 4);
      values += 4;
      if (values % (2 * AbreastCode.CHUNK) == 0) {
        w.op(ADD, X, imm(2 * layout.chunkBytes()));
      }
    }

    @Override
    public void end(Vec scales) {
      for (int token = 0; token < layout.tokens(); token++) {
        var sum = products[token];
        switch (code) {
          case LongAbreastCode _ when run == 0 -> w.op(VPMULLD, sums[token], sum, scales);
          case LongAbreastCode _ -> {
            w.op(VPMULLD, sum, sum, scales);
            w.op(VPADDD, sums[token], sums[token], sum);
          }
          case ShortAbreastCode _ -> {
            w.op(VMULPS, t, scales, at(HEADS, AbreastLayout.scale(token)).each());
            w.op(VCVTDQ2PS, sum, sum);
            w.op(VFMADD231PS, sums[token], sum, t);
          }
        }
      }
      run++;
    }

    @Override
    public void minimums(Vec minimums) {
      for (int token = 0; token < layout.tokens(); token++) {
        w.op(VCVTDQ2PS, t, at(HEADS, layout.sum(0, token)).each());
        w.op(VMULPS, t, t, at(HEADS, AbreastLayout.scale(token)).each());
        w.op(VFMADD231PS, sums[token], t, minimums);
      }
    }
  }

  /** What a block came to joins the sums, as floats. */
  private void finish(LongAbreastCode blocks) {
    var free = blocks.free();
    var unit = u;
    blocks.unit(unit, t, rows);
    for (int pair = 0; pair < 4 && code.hasMinimums(); pair++) {
      blocks.minimums(free[pair], pair);
    }
    if (code.hasMinimums()) {
      blocks.minimumUnit(free[4]);
    }
    for (int token = 0; token < layout.tokens(); token++) {
      var scale = at(HEADS, AbreastLayout.scale(token)).each();
      var integer = products[token];
      w.op(VCVTDQ2PS, integer, sums[token]);
      w.op(VMULPS, t, unit, scale);
      w.op(VFMADD213PS, t, integer, sum(token));
      if (code.hasMinimums()) {
        w.zero(integer);
        for (int pair = 0; pair < 4; pair++) {
          var sums = at(HEADS, layout.sum(2 * pair, token));
          w.op(VPDPWSSD, integer, free[pair], sums.each());
        }
        w.op(VCVTDQ2PS, integer, integer);
        w.op(VMULPS, free[5], free[4], scale);
        w.op(VFMADD231PS, t, integer, free[5]);
      }
      w.store(sum(token), t);
    }
  }

  /** Each token's sums go to their own places. */
  private void results(Label done) {
    var token = w.label("token");
    var to = BASES[0];
    var sums = BASES[1];
    var apart = BASES[2];
    var apart3 = BASES[3];
    w.op(MOV, apart, kept(OUT_APART));
    w.op(LEA, apart3, at(apart, apart, 2));
    w.op(LEA, sums, sum(0));
    w.op(MOV, STEPS.d(), imm(layout.tokens()));
    w.bind(token);
    w.op(MOV, to, kept(TURN_OUT));
    for (int row = 0; row < Abreast.ROWS; row++) {
      w.op(MOV, RAX.d(), at(sums, 4 * row));
      switch (row % 4) {
        case 0 -> w.op(MOV, at(to), RAX.d());
        case 1 -> w.op(MOV, at(to, apart, 1), RAX.d());
        case 2 -> w.op(MOV, at(to, apart, 2), RAX.d());
        default -> {
          w.op(MOV, at(to, apart3, 1), RAX.d());
          w.op(LEA, to, at(to, apart, 4));
        }
      }
    }
    w.op(MOV, RAX, at(ARGUMENTS, MatMulArguments.OUT_BYTES));
    w.op(ADD, kept(TURN_OUT), RAX);
    w.op(ADD, sums, imm(AbreastLayout.LENGTH));
    w.op(DEC, TOKENS);
    w.op(JE, done);
    w.op(DEC, STEPS);
    w.op(JNE, token);
  }
}
