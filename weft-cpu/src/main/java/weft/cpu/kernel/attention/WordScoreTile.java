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
 * The twin of {@link ScoreTile} for words. A query's weights are relative to the greatest score of
 * the panel, so that they have as many levels in each; what the panel comes to is multiplied by a
 * share, relative to the greatest so far.
 */
public final class WordScoreTile {
  /** How many vectors of positions some query sees: whole pairs of them. */
  static final Gpr VECTORS = RBP;

  /** Pairs of axes in a round of the inner loop; the sizes of heads are multiples of 16. */
  private static final int PAIRS = 4;

  /** What unseen scores are: less than any, but no infinity when it is multiplied. */
  private static final float UNSEEN_SCORE = -1e30f;

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
    w.note("levels of the query times levels of each key");
    int units = ManyLayout.KEY_UNITS - ManyLayout.WEIGHTS;
    for (int q = 0; q < TILE; q++) {
      w.op(VBROADCASTSS, query, at(STATE, ManyLayout.STATE_UNIT + q * Float.BYTES));
      for (int v = 0; v < vectors; v++) {
        w.op(VCVTDQ2PS, sums[q][v], sums[q][v]);
        w.op(VMULPS, sums[q][v], sums[q][v], query);
        w.op(VMULPS, sums[q][v], sums[q][v], at(RDX, units + v * vectorBytes()));
        w.op(VMOVUPS, at(RDX, q * ManyLayout.WEIGHT_BYTES + v * vectorBytes()), sums[q][v]);
      }
    }
    w.op(ADD, RBX, imm((long) vectors * vectorBytes()));
    w.op(ADD, RDX, imm((long) vectors * vectorBytes()));
  }

  private void cap() {
    var uncapped = w.label("uncapped");
    var softCap = new SoftCap(w, AttendArguments.CAPS);
    softCap.unless(uncapped);
    loops.overQueries(
        w.label("cap"),
        () ->
            loops.overVectors(
                w.label("capped"),
                () -> {
                  softCap.apply(x, t, exp);
                  w.op(VMOVUPS, at(RAX), x);
                }));
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
  }

  /** What was summed so far and what the panel comes to, relative to the new greatest score. */
  private void factors() {
    w.op(VMOVUPS, y, at(BASE, ManyLayout.GREATEST));
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
    w.op(VBROADCASTSS, u, at(w.assembler().floats("levels", KvWords.WEIGHT_LEVELS)));
    loops.overQueries(
        w.label("floats"),
        () -> {
          w.op(VBROADCASTSS, greatest, at(R9, ManyLayout.STATE_GREATEST));
          w.zero(total);
          loops.overVectors(
              w.label("float"),
              () -> {
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
    var weights = new WordWeights(w, KvWords.WEIGHT_LEVELS);
    w.note("r10 = the query's lane of what is told of the tile");
    w.op(LEA, R10, at(BASE, ManyLayout.GREATEST));
    loops.overQueries(
        w.label("weights"),
        () -> {
          var two = w.label("weight");
          w.op(VBROADCASTSS, greatest, at(R10));
          w.zero(total);
          w.op(MOV, RAX, R8);
          w.op(MOV, RDX, R8);
          w.op(MOV, RCX, VECTORS);
          w.loop(two);
          w.op(VMOVUPS, x, at(RAX));
          w.op(VMOVUPS, y, at(RAX, vectorBytes()));
          w.op(VSUBPS, x, x, greatest);
          w.op(VSUBPS, y, y, greatest);
          weights.apply(x, t, u);
          w.op(VADDPS, total, total, x);
          weights.apply(y, first, last);
          w.op(VADDPS, total, total, y);
          w.op(VCVTPS2DQ, x, x);
          w.op(VCVTPS2DQ, y, y);
          w.op(VPACKSSDW, x, x, y);
          w.op(VMOVUPS, at(RDX), x);
          w.op(ADD, RAX, imm(2L * vectorBytes()));
          w.op(ADD, RDX, imm(vectorBytes()));
          w.op(SUB, RCX, imm(2));
          w.op(JG, two);
          w.everyLane(VADDPS, total, t);
          w.op(VMULSS, total.x(), total.x(), at(R10, ManyLayout.SHARES - ManyLayout.GREATEST));
          w.op(VADDSS, total.x(), total.x(), at(R9, ManyLayout.STATE_TOTAL));
          w.op(VMOVSS, at(R9, ManyLayout.STATE_TOTAL), total.x());
          w.op(ADD, R10, imm(Float.BYTES));
        });
  }
}
