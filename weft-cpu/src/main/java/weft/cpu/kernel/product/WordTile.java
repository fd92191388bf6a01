package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;

import java.util.Optional;
import weft.cpu.asm.Gpr;
import weft.cpu.asm.Isa;
import weft.cpu.asm.Label;
import weft.cpu.asm.Mem;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.FnCode;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.emit.WordDot;
import weft.ir.Fn;

/**
 * The twin of {@link Tile} for a panel of words; it takes the same registers. Two values of a token
 * are broadcast and meet those of many rows; the sums of 64, which are exact, are scaled and added
 * up as floats, or, where all of a panel have one scale, added up and then scaled.
 */
public final class WordTile {
  private static final int HALVES = 2;

  /** Whole blocks left, once the sums have begun. */
  private static final Gpr COUNT = Tile.GOES_ON;

  /** The same for the fourth token and those behind it. */
  private static final Gpr X_4 = Gpr.R9;

  private static final Gpr X_SCALE_4 = Gpr.R12;

  /**
   * The rows of the next tile, where this one is full: they are asked for, or the first lines of
   * each, which no stream tells the processor, would be waited for.
   */
  private static final Gpr NEXT = Gpr.R13;

  private static final Gpr NEXT_4 = Gpr.RCX;

  private static final int LINE = 64;

  private final KernelWriter w;
  private final int tokens;
  private final WordScales scales;
  private final int length;
  private final Vec[][] integers;
  private final Vec[][] sums;
  private final Vec[] weights;
  private final Vec x;
  private final WordDot dot;
  private final Optional<TileMap> map;

  private WordTile(KernelWriter w, int tokens, WordScales scales, Optional<Fn> mapped) {
    this.w = w;
    this.scales = scales;
    this.tokens = tokens;
    var registers = new Registers(w.isa());
    integers = registers.take(tokens, HALVES);
    sums = registers.take(tokens, HALVES);
    weights = registers.take(HALVES);
    x = registers.take();
    dot = WordDot.of(w, registers, x);
    length = x.bytes();
    map = mapped.map(fn -> new TileMap(fn, new FnCode(w, registers)));
  }

  /** The most tokens whose sums fit in the registers. */
  static int most(Isa isa) {
    return isa == Isa.AVX2 ? 3 : 6;
  }

  /** Whether registers are left for a function of the results. */
  public static boolean maps(Isa isa, WordScales scales) {
    return isa.includes(Isa.VNNI) && scales == WordScales.PANELS;
  }

  /**
   * @param mapped the function that results go through, where {@link #maps} allows one
   */
  static Label emit(KernelWriter w, int tokens, WordScales scales, Optional<Fn> mapped) {
    var entry = w.label("wordTile" + tokens);
    w.loop(entry);
    new WordTile(w, tokens, scales, mapped).emit();
    return entry;
  }

  private void emit() {
    var block = w.label("block");
    var half = w.label("half");
    var done = w.label("done");
    var results = new TileResults(w, sums, weights, x, map);
    switch (scales) {
      case BLOCKS -> results.begin(X_4);
      case PANELS -> results.zero();
    }
    if (tokens > 3) {
      w.op(LEA, X_4, at(Tile.X_STEP, Tile.X_STEP, 2));
      w.op(LEA, X_SCALE_4, at(Tile.X_SCALE, X_4, 1));
      w.op(ADD, X_4, Tile.X);
    }
    if (asksAhead()) {
      w.op(LEA, NEXT_4, at(Tile.X_STEP, Tile.X_STEP, 2));
      w.op(LEA, NEXT, at(X_4, NEXT_4, 1));
      w.op(ADD, NEXT_4, NEXT);
    }
    w.op(MOV, COUNT, Tile.BLOCKS);
    w.op(SHR, COUNT, imm(1));
    w.op(JE, half);
    w.loop(block);
    block(WordRows.BLOCK);
    w.op(DEC, COUNT);
    w.op(JNE, block);
    w.bind(half);
    w.op(TEST, Tile.BLOCKS, imm(1));
    w.op(JE, done);
    block(WordRows.HALF);
    w.bind(done);
    if (scales == WordScales.PANELS) {
      scalePanel();
      results.addEarlier(Tile.X);
    }
    results.store();
    w.op(RET);
  }

  /** Only where as many tokens follow. */
  private boolean asksAhead() {
    return tokens == 6;
  }

  /** A line of each row of the next tile for each of this one. */
  private void ask(int offset) {
    for (int t = 0; t < tokens; t++) w.op(PREFETCHT1, token(t, NEXT, NEXT_4, offset));
  }

  private void block(int values) {
    for (int pair = 0; pair < values / 2; pair++) {
      if (asksAhead() && 4 * pair % LINE == 0) ask(4 * pair);
      multiply(pair);
    }
    switch (scales) {
      case BLOCKS -> {
        scale();
        w.op(ADD, Tile.SCALES, imm(Float.BYTES * Panel.ROWS));
        w.op(ADD, Tile.X_SCALE, imm(Float.BYTES));
        if (tokens > 3) w.op(ADD, X_SCALE_4, imm(Float.BYTES));
      }
      case PANELS -> add();
    }
    w.op(ADD, Tile.BYTES, imm(Short.BYTES * values * Panel.ROWS));
    w.op(ADD, Tile.X, imm(Short.BYTES * values));
    if (tokens > 3) w.op(ADD, X_4, imm(Short.BYTES * values));
    if (asksAhead()) {
      w.op(ADD, NEXT, imm(Short.BYTES * values));
      w.op(ADD, NEXT_4, imm(Short.BYTES * values));
    }
  }

  /** Neither takes a pipe that multiplies. */
  private void add() {
    for (int t = 0; t < tokens; t++) {
      for (int half = 0; half < HALVES; half++) {
        w.op(VCVTDQ2PS, integers[t][half], integers[t][half]);
        w.op(VADDPS, sums[t][half], sums[t][half], integers[t][half]);
      }
    }
  }

  private void scalePanel() {
    for (int t = 0; t < tokens; t++) {
      w.op(VBROADCASTSS, x, token(t, Tile.X_SCALE, X_SCALE_4, 0));
      for (int half = 0; half < HALVES; half++) {
        w.op(VMULPS, weights[half], x, at(Tile.SCALES, length * half));
        w.op(VMULPS, sums[t][half], sums[t][half], weights[half]);
      }
    }
  }

  private void multiply(int pair) {
    for (int half = 0; half < HALVES; half++) {
      w.load(weights[half], at(Tile.BYTES, 4 * Panel.ROWS * pair + length * half));
    }
    for (int t = 0; t < tokens; t++) {
      w.op(VPBROADCASTD, x, token(t, Tile.X, X_4, 4 * pair));
      for (int half = 0; half < HALVES; half++) {
        if (pair == 0) {
          w.op(VPMADDWD, integers[t][half], weights[half], x);
        } else {
          dot.add(integers[t][half], weights[half], x);
        }
      }
    }
  }

  private void scale() {
    for (int t = 0; t < tokens; t++) {
      w.op(VBROADCASTSS, x, token(t, Tile.X_SCALE, X_SCALE_4, 0));
      for (int half = 0; half < HALVES; half++) {
        w.op(VCVTDQ2PS, integers[t][half], integers[t][half]);
        w.op(VMULPS, weights[half], x, at(Tile.SCALES, length * half));
        w.op(VFMADD231PS, sums[t][half], integers[t][half], weights[half]);
      }
    }
  }

  /** A place in the row of a token: three are reached from one register, three from another. */
  private static Mem token(int token, Gpr first, Gpr fourth, int offset) {
    var base = token < 3 ? first : fourth;
    return switch (token % 3) {
      case 0 -> at(base, offset);
      case 1 -> at(base, Tile.X_STEP, 1, offset);
      default -> at(base, Tile.X_STEP, 2, offset);
    };
  }
}
