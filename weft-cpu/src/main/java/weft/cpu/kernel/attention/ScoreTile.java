package weft.cpu.kernel.attention;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.attention.ManyLayout.BASE;
import static weft.cpu.kernel.attention.ManyLayout.TILE;
import static weft.cpu.kernel.attention.ManyLayout.kept;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;

import java.util.stream.IntStream;
import weft.cpu.asm.Gpr;
import weft.cpu.asm.Mask;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.ExpCode;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Place;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.emit.SoftCap;

/**
 * The weights of a panel's positions for six queries. Scores come by outer products: a float of
 * each query meets the same axis of many keys. What the queries have summed before is to be
 * multiplied by a factor, since weights are relative to the greatest score so far.
 */
public final class ScoreTile {
  /** The tile's state and its queries. */
  static final Gpr STATE = R12;

  static final Gpr QUERIES = R13;

  /** How many vectors of positions some query sees. */
  private static final Gpr VECTORS = RBP;

  /** Axes in a round of the inner loop; the sizes of heads are multiples of 16. */
  private static final int AXES = 4;

  private static final Mask UNSEEN = Mask.k(1);

  private final KernelWriter w;
  private final TileLoops loops;
  private final int lanes;
  private final int most;
  private final Vec[][] sums;
  private final Vec[] keys;
  private final Vec query;

  // The second half has no sums to keep.
  private final Vec x;
  private final Vec t;
  private final Vec greatest;
  private final Vec least;
  private final Vec position;
  private final Vec firstPosition;
  private final Vec first;
  private final Vec last;
  private final Vec end;
  private final ExpCode exp;

  ScoreTile(KernelWriter w) {
    this.w = w;
    lanes = w.isa().vectorBits() / Float.SIZE;
    most = ManyLayout.vectors(w.isa());
    var registers = new Registers(w.isa());
    sums = registers.take(TILE, most);
    keys = registers.take(most);
    query = registers.take();

    var again = new Registers(w.isa());
    x = again.take();
    t = again.take();
    greatest = again.take();
    least = again.take();
    position = again.take();
    firstPosition = again.take();
    first = again.take();
    last = again.take();
    end = again.take();
    exp = new ExpCode(w, again.take(), again.take());
    loops = new TileLoops(w, VECTORS, x);
  }

  private int vectorBytes() {
    return lanes * Float.BYTES;
  }

  void emit() {
    w.op(MOV, VECTORS, kept(ManyLayout.SEEN));
    w.op(ADD, VECTORS, imm(lanes - 1));
    w.op(SHR, VECTORS, imm(Integer.numberOfTrailingZeros(lanes)));
    scores();
    cap();
    greatest();
    factors();
    weights();
  }

  private void scores() {
    var some = w.label("some");
    var done = w.label("scored");
    w.note("rbx = keys, rdx = where scores go, rsi = vectors left; r10 = from query to query");
    w.op(LEA, RBX, at(BASE, ManyLayout.KEY_PANEL));
    w.op(LEA, RDX, at(BASE, ManyLayout.WEIGHTS));
    w.op(MOV, RSI, VECTORS);
    w.op(MOV, R10, at(ARGUMENTS, AttendArguments.KEY_DIM));
    w.op(SHL, R10, imm(2));
    w.bind(some);
    for (int vectors = most; vectors > 0; vectors--) {
      var fewer = w.label("fewer");
      if (vectors > 1) {
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
    for (int axis = 0; axis < AXES; axis++) {
      for (int v = 0; v < vectors; v++) {
        w.op(VMOVUPS, keys[v], at(RCX, axis * ManyLayout.WEIGHT_BYTES + v * vectorBytes()));
      }
      for (int q = 0; q < TILE; q++) {
        w.op(VBROADCASTSS, query, third(q, R8, R9, R10).at(axis * Float.BYTES));
        for (int v = 0; v < vectors; v++) w.op(VFMADD231PS, sums[q][v], keys[v], query);
      }
    }
    w.op(ADD, RCX, imm(AXES * ManyLayout.WEIGHT_BYTES));
    w.op(ADD, R8, imm(AXES * Float.BYTES));
    w.op(ADD, R9, imm(AXES * Float.BYTES));
    w.op(SUB, R11, imm(AXES));
    w.op(JG, axes);
    for (int q = 0; q < TILE; q++) {
      for (int v = 0; v < vectors; v++) {
        w.op(VMOVUPS, at(RDX, q * ManyLayout.WEIGHT_BYTES + v * vectorBytes()), sums[q][v]);
      }
    }
    w.op(ADD, RBX, imm((long) vectors * vectorBytes()));
    w.op(ADD, RDX, imm((long) vectors * vectorBytes()));
  }

  /** Rows of a tile: three are reached from one register, three from another. */
  static Place third(int row, Gpr first, Gpr fourth, Gpr step) {
    var base = row < 3 ? first : fourth;
    return switch (row % 3) {
      case 0 -> Place.of(base);
      case 1 -> Place.of(base, step, 1);
      default -> Place.of(base, step, 2);
    };
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

  /** The greatest score so far of each query; scores that it does not see become the least. */
  private void greatest() {
    w.op(VPBROADCASTD, t, kept(ManyLayout.POSITION).sized(32));
    w.op(
        VPADDD,
        firstPosition,
        t,
        at(w.assembler().ints("lanes", IntStream.range(0, lanes).toArray())));
    w.op(VPBROADCASTD, end, kept(ManyLayout.COUNT).sized(32));
    w.op(VPADDD, end, end, t);
    w.everywhere(t, "minus one", -1);
    w.op(VPADDD, end, end, t);
    w.everywhere(least, "least", Float.floatToRawIntBits(-Float.MAX_VALUE));
    w.op(LEA, R10, at(BASE, ManyLayout.GREATEST));
    loops.overQueries(
        w.label("greatest"),
        () -> {
          w.op(VPBROADCASTD, first, at(R9, ManyLayout.STATE_FIRST));
          w.op(VPBROADCASTD, last, at(R9, ManyLayout.STATE_LAST));
          w.op(VPMINSD, last, last, end);
          w.op(VBROADCASTSS, greatest, at(R9, ManyLayout.STATE_GREATEST));
          w.move(position, firstPosition);
          loops.overVectors(
              w.label("seen"),
              () -> {
                unless(position, last);
                unless(first, position);
                w.op(VMOVUPS, at(RAX), x);
                w.op(VMAXPS, greatest, greatest, x);
                w.everywhere(t, "a vector", lanes);
                w.op(VPADDD, position, position, t);
              });
          w.everyLane(VMAXPS, greatest, t);
          w.op(VMOVSS, at(R10), greatest.x());
          w.op(ADD, R10, imm(Float.BYTES));
        });
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

  /** What was summed relative to the greatest so far, relative to the new one; a lane a query. */
  private void factors() {
    w.op(VMOVUPS, greatest, at(BASE, ManyLayout.GREATEST));
    w.op(VMOVUPS, x, at(STATE, ManyLayout.STATE_GREATEST));
    w.op(VMOVUPS, at(STATE, ManyLayout.STATE_GREATEST), greatest);
    w.op(VSUBPS, x, x, greatest);
    exp.apply(x);
    w.op(VMOVUPS, at(BASE, ManyLayout.FACTORS), x);
    w.op(VMULPS, x, x, at(STATE, ManyLayout.STATE_TOTAL));
    w.op(VMOVUPS, at(STATE, ManyLayout.STATE_TOTAL), x);
  }

  private void weights() {
    var total = first;
    loops.overQueries(
        w.label("weights"),
        () -> {
          w.op(VBROADCASTSS, greatest, at(R9, ManyLayout.STATE_GREATEST));
          w.zero(total);
          loops.overVectors(
              w.label("weight"),
              () -> {
                w.op(VSUBPS, x, x, greatest);
                exp.apply(x);
                w.op(VMOVUPS, at(RAX), x);
                w.op(VADDPS, total, total, x);
              });
          w.everyLane(VADDPS, total, t);
          w.op(VADDSS, total.x(), total.x(), at(R9, ManyLayout.STATE_TOTAL));
          w.op(VMOVSS, at(R9, ManyLayout.STATE_TOTAL), total.x());
        });
  }
}
