package weft.cpu.kernel.attention;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.attention.ManyLayout.BASE;
import static weft.cpu.kernel.attention.ManyLayout.TILE;
import static weft.cpu.kernel.attention.ManyLayout.kept;
import static weft.cpu.kernel.attention.ScoreTile.QUERIES;
import static weft.cpu.kernel.attention.ScoreTile.STATE;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;

import java.util.stream.IntStream;
import weft.cpu.asm.Gpr;
import weft.cpu.asm.Mask;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.ExpCode;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.emit.SoftCap;
import weft.cpu.kernel.emit.WordDot;

/**
 * The twin of {@link ScoreTile} for words. Scores are in levels of their query until they become
 * weights. A query's weights are relative to the greatest score of the panel, so that they have as
 * many levels in each; what the panel comes to is multiplied by a share, relative to the greatest
 * so far.
 */
public final class WordScoreTile {
  /** How many vectors of positions some query sees: whole pairs of them. */
  static final Gpr VECTORS = RBP;

  /** Pairs of axes in a round of the inner loop; the sizes of heads are multiples of 16. */
  private static final int PAIRS = 4;

  /** What unseen scores are: less than any, but no infinity when it is multiplied. */
  private static final float UNSEEN_SCORE = -1e30f;

  /** The vectors of all positions of a panel, where AVX-512 keeps as many for each query. */
  private static final int ALL = ManyLayout.POSITIONS * Float.SIZE / 512;

  private static final Mask UNSEEN = Mask.k(1);

  private final KernelWriter w;
  private final TileLoops loops;
  private final int lanes;
  private final int most;
  private final Vec[][] sums;
  private final Vec[] keys;
  private final Vec query;
  private final WordDot dot;

  // The second half has no sums to keep.
  private final Vec x;
  private final Vec y;
  private final Vec t;
  private final Vec u;
  private final Vec greatest;
  private final Vec total;
  private final Vec position;
  private final Vec firstPosition;
  private final Vec first;
  private final Vec last;
  private final Vec end;
  private final Vec least;
  private final ExpCode exp;
  private final WordWeights weights;

  WordScoreTile(KernelWriter w) {
    this.w = w;
    lanes = w.isa().vectorBits() / Float.SIZE;
    most = ManyLayout.vectors(w.isa());
    var registers = new Registers(w.isa());
    sums = registers.take(TILE, most);
    keys = registers.take(most);
    query = registers.take();
    dot = WordDot.of(w, registers, query);

    var again = new Registers(w.isa());
    x = again.take();
    y = again.take();
    t = again.take();
    u = again.take();
    greatest = again.take();
    total = again.take();
    position = again.take();
    firstPosition = again.take();
    first = again.take();
    last = again.take();
    end = again.take();
    least = again.take();
    // Nothing is masked any more when weights are made.
    weights = WordWeights.of(w, again.left(w.isa().vectorBits()));
    exp = new ExpCode(w, again.take(), again.take());
    loops = new TileLoops(w, VECTORS, x);
  }

  private int vectorBytes() {
    return lanes * Float.BYTES;
  }

  void emit() {
    w.op(MOV, VECTORS, kept(ManyLayout.SEEN));
    w.op(ADD, VECTORS, imm(2L * lanes - 1));
    w.op(SHR, VECTORS, imm(Integer.numberOfTrailingZeros(2 * lanes)));
    w.op(ADD, VECTORS, VECTORS);
    scores();
    cap();
    mask();
    greatest();
    factors();
  }

  private void scores() {
    var some = w.label("some");
    var done = w.label("scored");
    w.note("rbx = keys, rdx = where scores go, rsi = vectors left; r10 = from query to query");
    w.op(LEA, RBX, at(BASE, ManyLayout.KEY_PANEL));
    w.op(LEA, RDX, at(BASE, ManyLayout.WEIGHTS));
    w.op(MOV, RSI, VECTORS);
    w.op(MOV, R10, at(ARGUMENTS, AttendArguments.KEY_DIM));
    w.op(ADD, R10, R10);
    w.bind(some);
    for (int vectors = most; vectors > 0; vectors -= 2) {
      var fewer = w.label("fewer");
      if (vectors > 2) {
        w.op(CMP, RSI, imm(vectors));
        w.op(JL, fewer);
      }
      scores(vectors);
      w.op(SUB, RSI, imm(vectors));
      w.op(JG, some);
      w.op(JMP, done);
      w.bind(fewer);
    }
    w.bind(done);
  }

  private void scores(int vectors) {
    var axes = w.label("axes");
    w.op(MOV, RCX, RBX);
    w.op(MOV, R8, QUERIES);
    w.op(LEA, R9, at(R10, R10, 2));
    w.op(ADD, R9, R8);
    w.op(MOV, R11, at(ARGUMENTS, AttendArguments.KEY_DIM));
    for (var sum : sums) for (int v = 0; v < vectors; v++) w.zero(sum[v]);
    w.loop(axes);
    for (int pair = 0; pair < PAIRS; pair++) {
      for (int v = 0; v < vectors; v++) {
        w.op(VMOVUPS, keys[v], at(RCX, pair * ManyLayout.WEIGHT_BYTES + v * vectorBytes()));
      }
      for (int q = 0; q < TILE; q++) {
        w.op(VPBROADCASTD, query, ScoreTile.third(q, R8, R9, R10).at(pair * 2 * Short.BYTES));
        for (int v = 0; v < vectors; v++) dot.add(sums[q][v], keys[v], query);
      }
    }
    w.op(ADD, RCX, imm(PAIRS * ManyLayout.WEIGHT_BYTES));
    w.op(ADD, R8, imm(2 * PAIRS * Short.BYTES));
    w.op(ADD, R9, imm(2 * PAIRS * Short.BYTES));
    w.op(SUB, R11, imm(2 * PAIRS));
    w.op(JG, axes);
    w.note("in levels of the query, by what a level of each key stands for");
    int units = ManyLayout.KEY_UNITS - ManyLayout.WEIGHTS;
    for (int q = 0; q < TILE; q++) {
      for (int v = 0; v < vectors; v++) {
        w.op(VCVTDQ2PS, sums[q][v], sums[q][v]);
        w.op(VMULPS, sums[q][v], sums[q][v], at(RDX, units + v * vectorBytes()));
        w.op(VMOVUPS, at(RDX, q * ManyLayout.WEIGHT_BYTES + v * vectorBytes()), sums[q][v]);
      }
    }
    if (vectors == ALL) greatestInRegisters();
    w.op(ADD, RBX, imm((long) vectors * vectorBytes()));
    w.op(ADD, RDX, imm((long) vectors * vectorBytes()));
  }

  /**
   * The greatest score of each query, where all positions of a panel have their scores in registers
   * at once; it holds unless some of them change.
   */
  private void greatestInRegisters() {
    for (var of : sums) {
      w.op(VMAXPS, of[2], of[2], of[3]);
      w.op(VMAXPS, of[0], of[0], of[1]);
      w.op(VMAXPS, of[0], of[0], of[2]);
    }
    // The keys are met, so their registers are free.
    var four = keys[0];
    var two = keys[1];
    var t = keys[2];
    w.note("two queries a register, then four, a quarter each");
    for (int q = 0; q < TILE; q += 2) {
      halves(sums[q][1], sums[q][0], sums[q + 1][0], 0x44, 0xEE);
    }
    halves(four, sums[0][1], sums[2][1], 0x88, 0xDD);
    halves(two, sums[4][1], sums[4][1], 0x88, 0xDD);
    w.note("in a quarter the greatest of a query of the first four, and of one behind them");
    w.op(VUNPCKLPS, t, four, two);
    w.op(VUNPCKHPS, four, four, two);
    w.op(VMAXPS, four, four, t);
    w.op(VPERMILPS, t, four, imm(0x4E));
    w.op(VMAXPS, four, four, t);
    var places = new int[lanes];
    for (int q = 0; q < TILE; q++) places[q] = q < 4 ? 4 * q : 4 * (q - 4) + 1;
    w.op(VMOVUPS, t, at(w.assembler().ints("queries", places)));
    w.op(VPERMPS, four, t, four);
    w.op(VMOVUPS, at(BASE, ManyLayout.GREATEST), four);
    w.op(MOV, kept(ManyLayout.CHANGED), imm(0));
  }

  /** The greater of some quarters of two registers and of the others of both. */
  private void halves(Vec to, Vec a, Vec b, int some, int others) {
    w.op(VSHUFF32X4, to, a, b, imm(some));
    w.op(VSHUFF32X4, keys[3], a, b, imm(others));
    w.op(VMAXPS, to, to, keys[3]);
  }

  private void cap() {
    var uncapped = w.label("uncapped");
    var softCap = new SoftCap(w, AttendArguments.CAPS);
    softCap.unless(uncapped);
    w.op(MOV, kept(ManyLayout.CHANGED), imm(1));
    loops.overQueries(
        w.label("cap"),
        () -> {
          w.op(VBROADCASTSS, u, at(R9, ManyLayout.STATE_UNIT));
          loops.overVectors(
              w.label("capped"),
              () -> {
                w.op(VMULPS, x, x, u);
                softCap.apply(x, t, exp);
                w.op(VDIVPS, x, x, u);
                w.op(VMOVUPS, at(RAX), x);
              });
        });
    w.bind(uncapped);
  }

  /** Where some query does not see all of the panel, unseen scores become the least. */
  private void mask() {
    var masked = w.label("masked");
    var all = w.label("all");
    w.op(MOV, RCX, kept(ManyLayout.POSITION));
    w.op(CMP, at(STATE, ManyLayout.STATE_FIRST + 4 * (TILE - 1)), RCX.d());
    w.op(JG, masked);
    w.op(ADD, RCX, imm(ManyLayout.POSITIONS - 1));
    w.op(CMP, at(STATE, ManyLayout.STATE_LAST), RCX.d());
    w.op(JL, masked);
    w.op(CMP, kept(ManyLayout.COUNT), imm(ManyLayout.POSITIONS));
    w.op(JE, all);
    w.bind(masked);
    w.op(MOV, kept(ManyLayout.CHANGED), imm(1));
    w.op(VPBROADCASTD, t, kept(ManyLayout.POSITION).sized(32));
    var inLanes = w.assembler().ints("lanes", IntStream.range(0, lanes).toArray());
    w.op(VPADDD, firstPosition, t, at(inLanes));
    w.op(VPBROADCASTD, end, kept(ManyLayout.COUNT).sized(32));
    w.op(VPADDD, end, end, t);
    w.everywhere(t, "minus one", -1);
    w.op(VPADDD, end, end, t);
    w.everywhere(least, "unseen", Float.floatToRawIntBits(UNSEEN_SCORE));
    loops.overQueries(
        w.label("mask"),
        () -> {
          w.op(VPBROADCASTD, first, at(R9, ManyLayout.STATE_FIRST));
          w.op(VPBROADCASTD, last, at(R9, ManyLayout.STATE_LAST));
          w.op(VPMINSD, last, last, end);
          w.move(position, firstPosition);
          loops.overVectors(
              w.label("seen"),
              () -> {
                unless(position, last);
                unless(first, position);
                w.op(VMOVUPS, at(RAX), x);
                w.everywhere(t, "a vector", lanes);
                w.op(VPADDD, position, position, t);
              });
        });
    w.bind(all);
  }

  /** The least score where {@code a > b}. */
  private void unless(Vec a, Vec b) {
    if (lanes == 16) {
      w.op(VPCMPGTD, UNSEEN, a, b);
      w.op(VMOVAPS, x.merging(UNSEEN), least);
    } else {
      w.op(VPCMPGTD, t, a, b);
      w.op(VBLENDVPS, x, x, least, t);
    }
  }

  /** The greatest score of each query in the panel. */
  private void greatest() {
    var told = w.label("told");
    if (most == ALL) {
      w.op(CMP, kept(ManyLayout.CHANGED), imm(0));
      w.op(JE, told);
    }
    w.op(LEA, R10, at(BASE, ManyLayout.GREATEST));
    loops.overQueries(
        w.label("greatest"),
        () -> {
          w.op(VMOVUPS, greatest, at(R8));
          loops.overVectors(w.label("greater"), () -> w.op(VMAXPS, greatest, greatest, x));
          w.everyLane(VMAXPS, greatest, t);
          w.op(VMOVSS, at(R10), greatest.x());
          w.op(ADD, R10, imm(Float.BYTES));
        });
    w.bind(told);
  }

  /** What was summed so far and what the panel comes to, relative to the new greatest score. */
  private void factors() {
    w.op(VMOVUPS, y, at(BASE, ManyLayout.GREATEST));
    w.op(VMULPS, y, y, at(STATE, ManyLayout.STATE_UNIT));
    w.op(VMOVUPS, x, at(STATE, ManyLayout.STATE_GREATEST));
    w.op(VMAXPS, greatest, x, y);
    w.op(VMOVUPS, at(STATE, ManyLayout.STATE_GREATEST), greatest);
    w.op(VSUBPS, x, x, greatest);
    exp.apply(x);
    w.op(VMOVUPS, at(BASE, ManyLayout.FACTORS), x);
    w.op(VMULPS, x, x, at(STATE, ManyLayout.STATE_TOTAL));
    w.op(VMOVUPS, at(STATE, ManyLayout.STATE_TOTAL), x);
    w.op(VSUBPS, y, y, greatest);
    exp.apply(y);
    w.op(VMOVUPS, at(BASE, ManyLayout.SHARES), y);
  }

  /**
   * Scores become weights as {@link ValueTile} takes them, relative to the greatest so far: in
   * levels, as those of other panels, but not rounded to them.
   */
  void emitFloatWeights() {
    w.op(VBROADCASTSS, u, at(w.assembler().floats("levels", WordWeights.LEVELS)));
    loops.overQueries(
        w.label("floats"),
        () -> {
          w.op(VBROADCASTSS, greatest, at(R9, ManyLayout.STATE_GREATEST));
          w.op(VBROADCASTSS, y, at(R9, ManyLayout.STATE_UNIT));
          w.zero(total);
          loops.overVectors(
              w.label("float"),
              () -> {
                w.op(VMULPS, x, x, y);
                w.op(VSUBPS, x, x, greatest);
                exp.apply(x);
                w.op(VMULPS, x, x, u);
                w.op(VMOVUPS, at(RAX), x);
                w.op(VADDPS, total, total, x);
              });
          w.everyLane(VADDPS, total, t);
          w.op(VADDSS, total.x(), total.x(), at(R9, ManyLayout.STATE_TOTAL));
          w.op(VMOVSS, at(R9, ManyLayout.STATE_TOTAL), total.x());
        });
  }

  /** Scores become words where they lie, two vectors at a time. */
  void emitWeights() {
    w.note("r10 = the query's lane of what is told of the tile");
    w.op(LEA, R10, at(BASE, ManyLayout.GREATEST));
    weights.begin();
    loops.overQueries(
        w.label("weights"),
        () -> {
          var two = w.label("weight");
          w.op(VBROADCASTSS, greatest, at(R10));
          weights.query(at(R9, ManyLayout.STATE_UNIT));
          w.op(MOV, RAX, R8);
          w.op(MOV, RDX, R8);
          w.op(MOV, RCX, VECTORS);
          w.loop(two);
          w.op(VMOVUPS, x, at(RAX));
          w.op(VMOVUPS, y, at(RAX, vectorBytes()));
          w.op(VSUBPS, x, x, greatest);
          w.op(VSUBPS, y, y, greatest);
          weights.two(x, y);
          w.op(VMOVUPS, at(RDX), x);
          w.op(ADD, RAX, imm(2L * vectorBytes()));
          w.op(ADD, RDX, imm(vectorBytes()));
          w.op(SUB, RCX, imm(2));
          w.op(JG, two);
          var sum = weights.total(t).x();
          w.op(VMULSS, sum, sum, at(R10, ManyLayout.SHARES - ManyLayout.GREATEST));
          w.op(VADDSS, sum, sum, at(R9, ManyLayout.STATE_TOTAL));
          w.op(VMOVSS, at(R9, ManyLayout.STATE_TOTAL), sum);
          w.op(ADD, R10, imm(Float.BYTES));
        });
  }
}
