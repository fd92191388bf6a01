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

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import weft.cpu.asm.Gpr;
import weft.cpu.asm.Isa;
import weft.cpu.asm.Label;
import weft.cpu.asm.Mem;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.ExpCode;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;

/**
 * The tiles of a block against a full page that all of its rows see whole, uncapped: what {@link
 * WordScoreTile} and {@link WordValueTile} do, to the bit, with one tile's scores made while those
 * of the tile before become weights. Weights are long chains of short work, for which the
 * multiplications of scores would wait.
 *
 * <p>Two areas take turns: the tile's whose scores are made, and that of the tile before.
 */
final class OverlappedTiles {
  /** The axes during whose products a tile's weights are made: no head may have fewer. */
  private static final int AXES = 64;

  /** Pairs of axes in a round of the others; the sizes of heads are multiples of 16. */
  private static final int PAIRS = 4;

  private static final int PAIR_BYTES = 2 * Short.BYTES;

  /** The vectors of a query's scores. */
  private static final int VECTORS = 4;

  private static final int VECTOR_BYTES = 64;

  /** The area of the tile at hand and that of the tile before. */
  private static final Gpr AREA = RDX;

  private static final Gpr AREA_BEFORE = RSI;

  private static final Gpr KEYS = RCX;
  private static final Gpr QUERY = R8;
  private static final Gpr QUERY_4 = R9;
  private static final Gpr QUERY_BYTES = R10;

  private final KernelWriter w;
  private final Vec[][] sums;
  private final Vec[] keys;
  private final Vec query;

  // What weights are made in.
  private final Vec x;
  private final Vec series;
  private final Vec rest;

  OverlappedTiles(KernelWriter w) {
    this.w = w;
    var registers = new Registers(w.isa());
    sums = registers.take(TILE, VECTORS);
    keys = registers.take(VECTORS);
    query = registers.take();
    x = registers.take();
    series = registers.take();
    rest = registers.take();
  }

  /** Whether there are registers for all of it. */
  static boolean runsOn(Isa isa) {
    return isa.includes(Isa.VNNI) && isa.vectorBits() == Integer.SIZE * 16;
  }

  /** Goes elsewhere where a row does not see all of the panel, or where scores have a cap. */
  void unless(Label elsewhere) {
    w.op(MOV, RAX, kept(ManyLayout.POSITION));
    w.op(CMP, RAX, kept(ManyLayout.FULL_END));
    w.op(JGE, elsewhere);
    w.note("the last row's window begins last");
    w.op(MOV, RCX, kept(ManyLayout.ROWS_END));
    w.op(SUB, RCX, at(ARGUMENTS, AttendArguments.PART + KvPart.WINDOW));
    w.op(CMP, RCX, RAX);
    w.op(JG, elsewhere);
    w.op(CMP, at(ARGUMENTS, AttendArguments.KEY_DIM).sized(64), imm(AXES));
    w.op(JL, elsewhere);
    w.op(CMP, at(ARGUMENTS, AttendArguments.CAPS).sized(32), imm(0));
    w.op(JNE, elsewhere);
  }

  void emit() {
    var tile = w.label("overlapped");
    var next = w.label("firstTile");
    w.op(LEA, STATE, at(BASE, ManyLayout.STATES));
    w.op(MOV, QUERIES, kept(ManyLayout.TILE_QUERIES));
    w.op(MOV, ValueTile.SUMS, kept(ManyLayout.TILE_SUMS));
    w.op(MOV, WordScoreTile.VECTORS.d(), imm(VECTORS));
    w.op(MOV, kept(ManyLayout.AREA_NEXT), BASE);
    w.op(LEA, RAX, at(BASE, ManyLayout.AREA_BYTES));
    w.op(MOV, kept(ManyLayout.AREA_NOW), RAX);
    w.op(MOV, RAX, kept(ManyLayout.TILES));
    w.op(MOV, kept(ManyLayout.TILES_LEFT), RAX);
    w.loop(tile);
    w.op(MOV, AREA, kept(ManyLayout.AREA_NEXT));
    w.op(MOV, AREA_BEFORE, kept(ManyLayout.AREA_NOW));
    w.op(MOV, kept(ManyLayout.AREA_NOW), AREA);
    w.op(MOV, kept(ManyLayout.AREA_NEXT), AREA_BEFORE);
    scores();
    factors();
    w.note("no tile is before the first, whose weights were of whatever lay there");
    w.op(LEA, RAX, at(BASE, ManyLayout.STATES));
    w.op(CMP, STATE, RAX);
    w.op(JE, next);
    values();
    w.bind(next);
    w.op(ADD, STATE, imm(ManyLayout.STATE_BYTES));
    w.op(MOV, RAX, at(ARGUMENTS, AttendArguments.KEY_DIM));
    w.op(IMUL, RAX, RAX, imm((long) Short.BYTES * TILE));
    w.op(ADD, QUERIES, RAX);
    w.op(DEC, kept(ManyLayout.TILES_LEFT));
    w.op(JNE, tile);
    w.op(MOV, AREA_BEFORE, kept(ManyLayout.AREA_NOW));
    weights().forEach(Runnable::run);
    values();
  }

  /** The tile's scores, and the weights of the tile before in steps between them. */
  private void scores() {
    var axes = w.label("axes");
    var done = w.label("scored");
    w.op(LEA, KEYS, at(BASE, ManyLayout.KEY_PANEL));
    w.op(MOV, R11, at(ARGUMENTS, AttendArguments.KEY_DIM));
    w.op(LEA, QUERY_BYTES, at(R11, R11, 1));
    w.op(MOV, QUERY, QUERIES);
    w.op(LEA, QUERY_4, at(QUERY_BYTES, QUERY_BYTES, 2));
    w.op(ADD, QUERY_4, QUERY);
    for (var sum : sums) for (var s : sum) w.zero(s);
    var products = new ArrayList<Runnable>();
    for (int pair = 0; pair < AXES / 2; pair++) products.addAll(products(pair));
    alternate(products, weights());
    advance(AXES / 2);
    w.op(SUB, R11, imm(AXES));
    w.op(JLE, done);
    w.loop(axes);
    for (int pair = 0; pair < PAIRS; pair++) products(pair).forEach(Runnable::run);
    advance(PAIRS);
    w.op(SUB, R11, imm(2 * PAIRS));
    w.op(JG, axes);
    w.bind(done);
    w.note("levels of the query times levels of each key");
    for (int q = 0; q < TILE; q++) {
      w.op(VBROADCASTSS, query, at(STATE, ManyLayout.STATE_UNIT + q * Float.BYTES));
      for (int v = 0; v < VECTORS; v++) {
        w.op(VCVTDQ2PS, sums[q][v], sums[q][v]);
        w.op(VMULPS, sums[q][v], sums[q][v], query);
        w.op(VMULPS, sums[q][v], sums[q][v], at(BASE, ManyLayout.KEY_UNITS + v * VECTOR_BYTES));
        w.op(VMOVUPS, score(AREA, q, v), sums[q][v]);
      }
    }
  }

  private void advance(int pairs) {
    w.op(ADD, KEYS, imm((long) pairs * ManyLayout.WEIGHT_BYTES));
    w.op(ADD, QUERY, imm((long) pairs * PAIR_BYTES));
    w.op(ADD, QUERY_4, imm((long) pairs * PAIR_BYTES));
  }

  /** The products of a pair of axes, one query after the other. */
  private List<Runnable> products(int pair) {
    var steps = new ArrayList<Runnable>();
    steps.add(
        () -> {
          for (int v = 0; v < VECTORS; v++) {
            w.op(VMOVUPS, keys[v], at(KEYS, pair * ManyLayout.WEIGHT_BYTES + v * VECTOR_BYTES));
          }
        });
    for (int q = 0; q < TILE; q++) {
      var numbers = ScoreTile.third(q, QUERY, QUERY_4, QUERY_BYTES).at(pair * PAIR_BYTES);
      var sum = sums[q];
      steps.add(() -> w.op(VPBROADCASTD, query, numbers));
      for (int v = 0; v < VECTORS; v++) {
        var of = sum[v];
        var key = keys[v];
        steps.add(() -> w.op(VPDPWSSD, of, key, query));
      }
    }
    return steps;
  }

  /** Runs all of both, in their orders, the second spread evenly over the first. */
  private static void alternate(List<Runnable> some, List<Runnable> others) {
    Queue<Runnable> left = new ArrayDeque<>(others);
    for (int i = 0; i < some.size(); i++) {
      some.get(i).run();
      while (others.size() - left.size() < (i + 1L) * others.size() / some.size()) {
        left.remove().run();
      }
    }
  }

  private static Mem score(Gpr area, int query, int vector) {
    return at(area, ManyLayout.WEIGHTS + query * ManyLayout.WEIGHT_BYTES + vector * VECTOR_BYTES);
  }

  /** The weights of the tile before, as {@link WordScoreTile#emitWeights} makes them. */
  private List<Runnable> weights() {
    var code = new WordWeights(w, KvWords.WEIGHT_LEVELS);
    var steps = new ArrayList<Runnable>();
    for (int q = 0; q < TILE; q++) {
      var greatest = at(AREA_BEFORE, ManyLayout.GREATEST + q * Float.BYTES).each();
      var total = at(AREA_BEFORE, ManyLayout.TOTALS + q * VECTOR_BYTES);
      for (int v = 0; v < VECTORS; v++) {
        var here = score(AREA_BEFORE, q, v);
        var words = score(AREA_BEFORE, q, v / 2);
        steps.add(() -> w.op(VMOVUPS, x, here));
        steps.add(() -> w.op(VSUBPS, x, x, greatest));
        steps.addAll(code.steps(x, series, rest));
        if (v == 0) {
          steps.add(() -> w.op(VMOVUPS, total, x));
        } else {
          steps.add(() -> w.op(VADDPS, rest, x, total));
          steps.add(() -> w.op(VMOVUPS, total, rest));
        }
        steps.add(() -> w.op(VCVTPS2DQ, x, x));
        if (v % 2 == 0) {
          steps.add(() -> w.op(VMOVUPS, here, x));
        } else {
          var beside = score(AREA_BEFORE, q, v - 1);
          steps.add(() -> w.op(VMOVUPS, rest, beside));
          steps.add(() -> w.op(VPACKSSDW, rest, rest, x));
          steps.add(() -> w.op(VMOVUPS, words, rest));
        }
      }
    }
    return steps;
  }

  /** The tile's greatest scores, from registers, and what follows from them. */
  private void factors() {
    var each = new Vec[TILE];
    for (int q = 0; q < TILE; q++) {
      w.op(VMAXPS, sums[q][0], sums[q][0], sums[q][1]);
      w.op(VMAXPS, sums[q][2], sums[q][2], sums[q][3]);
      w.op(VMAXPS, sums[q][0], sums[q][0], sums[q][2]);
      each[q] = sums[q][0];
    }
    new SixVectors(w, sums[0][1]).fold(VMAXPS, each);
    var here = each[0];
    var before = keys[0];
    var greatest = keys[1];
    var exp = new ExpCode(w, x, series);
    w.op(VMOVUPS, at(AREA, ManyLayout.GREATEST), here);
    w.op(VMOVUPS, before, at(STATE, ManyLayout.STATE_GREATEST));
    w.op(VMAXPS, greatest, before, here);
    w.op(VMOVUPS, at(STATE, ManyLayout.STATE_GREATEST), greatest);
    w.op(VSUBPS, before, before, greatest);
    exp.apply(before);
    w.op(VMOVUPS, at(AREA, ManyLayout.FACTORS), before);
    w.op(VMULPS, before, before, at(STATE, ManyLayout.STATE_TOTAL));
    w.op(VMOVUPS, at(STATE, ManyLayout.STATE_TOTAL), before);
    w.op(VSUBPS, here, here, greatest);
    exp.apply(here);
    w.op(VMOVUPS, at(AREA, ManyLayout.SHARES), here);
  }

  /** The tile before: its weights join their sum, and its values what they are summed to. */
  private void values() {
    var totals = new Vec[TILE];
    for (int q = 0; q < TILE; q++) {
      totals[q] = sums[q][0];
      w.op(VMOVUPS, totals[q], at(AREA_BEFORE, ManyLayout.TOTALS + q * VECTOR_BYTES));
    }
    new SixVectors(w, sums[0][1]).fold(VADDPS, totals);
    var total = at(STATE, ManyLayout.STATE_TOTAL - ManyLayout.STATE_BYTES);
    w.op(VMULPS, totals[0], totals[0], at(AREA_BEFORE, ManyLayout.SHARES));
    w.op(VADDPS, totals[0], totals[0], total);
    w.op(VMOVUPS, total, totals[0]);
    new WordValueTile(w, AREA_BEFORE).emit();
    w.op(MOV, RAX, at(ARGUMENTS, AttendArguments.VALUE_DIM));
    w.op(IMUL, RAX, RAX, imm(4L * TILE));
    w.op(ADD, ValueTile.SUMS, RAX);
  }
}
