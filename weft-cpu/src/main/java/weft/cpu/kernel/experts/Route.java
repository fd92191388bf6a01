package weft.cpu.kernel.experts;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.emit.KernelWriter.FROM;
import static weft.cpu.kernel.emit.KernelWriter.SCRATCH;
import static weft.cpu.kernel.emit.KernelWriter.TO;

import java.util.Locale;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.ExpCode;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;
import weft.ir.Routing;

/**
 * Chooses the experts of all rows by their scores, the lower number on a tie, says how much each
 * counts, and puts the uses in the order of experts. One worker does it: it is little work.
 *
 * <p>A row's experts are different ones that exist, whatever the scores are: what is no number
 * counts as the lowest, and what is taken or behind the last is no number. {@link ExpertProducts}
 * relies on it. Vectors of 256 bits serve every level.
 */
public final class Route {
  static final int LANES = 8;

  private final KernelWriter w;
  private final Routing.Scoring scoring;
  private final Routing.Weights weights;
  private final Registers registers = new Registers(LANES * Float.SIZE);
  private final Vec x = registers.take();
  private final Vec best = registers.take();
  private final Vec greatest = registers.take();
  private final Vec total = registers.take();
  private final Vec t = registers.take();
  private final Vec lowest = registers.take();
  private final Vec none = registers.take();
  private final ExpCode exp;

  private Route(KernelWriter w, Routing.Scoring scoring, Routing.Weights weights) {
    this.w = w;
    this.scoring = scoring;
    this.weights = weights;
    this.exp = new ExpCode(w, registers.take(), registers.take());
  }

  public static String name(Routing.Scoring scoring, Routing.Weights weights) {
    return ("route." + scoring + "." + weights).toLowerCase(Locale.ROOT);
  }

  public static void emit(KernelWriter w, Routing.Scoring scoring, Routing.Weights weights) {
    new Route(w, scoring, weights).kernel();
  }

  private void kernel() {
    var row = w.label("row");
    var done = w.label("done");
    w.begin(name(scoring, weights));
    w.op(CMP, FROM, TO);
    w.op(JGE, done);
    w.note("r8 = scores, r9 = experts, r10 = used, r11 = rows left; r12, r13 = this row's uses");
    w.op(MOV, R8, at(ARGUMENTS, RouteArguments.SCORES));
    w.op(MOV, R9, at(ARGUMENTS, RouteArguments.EXPERTS));
    w.op(MOV, R10, at(ARGUMENTS, RouteArguments.USED));
    w.op(MOV, R11, at(ARGUMENTS, RouteArguments.ROWS));
    w.op(MOV, R12, at(ARGUMENTS, RouteArguments.CHOSEN));
    w.op(MOV, R13, at(ARGUMENTS, RouteArguments.WEIGHTS));
    w.everywhere(lowest, "lowest", Float.floatToRawIntBits(Float.NEGATIVE_INFINITY));
    w.everywhere(none, "none", Float.floatToRawIntBits(Float.NaN));
    w.loop(row);
    copy();
    if (scoring == Routing.Scoring.SOFTMAX) sumOfAll();
    choose();
    weigh();
    w.op(ADD, R8, at(ARGUMENTS, RouteArguments.SCORE_BYTES));
    w.op(LEA, R12, at(R12, R10, 4, 0));
    w.op(LEA, R13, at(R13, R10, 4, 0));
    w.op(DEC, R11);
    w.op(JNE, row);
    order();
    w.bind(done);
    w.end();
  }

  /** The scores go to scratch, with a vector of the lowest behind them; greatest = the greatest. */
  private void copy() {
    var copy = w.label("copy");
    w.op(VMOVUPS, at(SCRATCH, R9, 4, 0), lowest);
    w.op(VBROADCASTSS, greatest, at(R8));
    w.op(XOR, RAX, RAX);
    w.loop(copy);
    w.op(VBROADCASTSS, x, at(R8, RAX, 4, 0));
    w.op(VMAXPS, greatest, greatest, x);
    w.op(VMOVSS, at(SCRATCH, RAX, 4, 0), x.x());
    w.op(INC, RAX);
    w.op(CMP, RAX, R9);
    w.op(JL, copy);
  }

  /** total = the sum of e to each score above the greatest, in every lane. */
  private void sumOfAll() {
    var sum = w.label("sum");
    w.zero(total);
    w.op(XOR, RAX, RAX);
    w.loop(sum);
    w.op(VMOVUPS, x, at(SCRATCH, RAX, 4, 0));
    w.op(VSUBPS, x, x, greatest);
    exp.apply(x);
    w.op(VADDPS, total, total, x);
    w.op(ADD, RAX, imm(LANES));
    w.op(CMP, RAX, R9);
    w.op(JL, sum);
    sumLanes(total);
  }

  private void sumLanes(Vec v) {
    w.fold(v, t);
    w.op(VHADDPS, v.x(), v.x(), v.x());
    w.op(VHADDPS, v.x(), v.x(), v.x());
    w.op(VBROADCASTSS, v, v.x());
  }

  /** Takes the best score that is left, as often as experts are used. */
  private void choose() {
    var number = w.label("number");
    var use = w.label("use");
    var scan = w.label("scan");
    var find = w.label("find");
    var found = w.label("found");
    w.note("of two the second is the result where one is no number: those become the lowest");
    w.note("a zero is added, so that both zeros have the same bits");
    w.zero(t);
    w.op(XOR, RAX, RAX);
    w.loop(number);
    w.op(VMOVUPS, x, at(SCRATCH, RAX, 4, 0));
    w.op(VMAXPS, x, x, lowest);
    w.op(VADDPS, x, x, t);
    w.op(VMOVUPS, at(SCRATCH, RAX, 4, 0), x);
    w.op(ADD, RAX, imm(LANES));
    w.op(CMP, RAX, R9);
    w.op(JL, number);
    w.op(VMOVUPS, at(SCRATCH, R9, 4, 0), none);
    w.op(XOR, RBX, RBX);
    w.loop(use);
    w.op(VMOVUPS, best, lowest);
    w.op(XOR, RAX, RAX);
    w.loop(scan);
    w.op(VMOVUPS, x, at(SCRATCH, RAX, 4, 0));
    w.op(VMAXPS, best, x, best);
    w.op(ADD, RAX, imm(LANES));
    w.op(CMP, RAX, R9);
    w.op(JL, scan);
    w.everyLane(VMAXPS, best, t);

    w.note("the best is a number, so what is taken does not equal it");
    w.op(XOR, RAX, RAX);
    w.loop(find);
    w.op(VPCMPEQD, x, best, at(SCRATCH, RAX, 4, 0));
    w.op(VMOVMSKPS, RBP.d(), x);
    w.op(TEST, RBP.d(), RBP.d());
    w.op(JNE, found);
    w.op(ADD, RAX, imm(LANES));
    w.op(CMP, RAX, R9);
    w.op(JL, find);
    w.bind(found);
    w.op(TZCNT, RBP.d(), RBP.d());
    w.op(ADD, RAX, RBP);
    w.note("there is one left for each use; were there none, the first is one that exists");
    w.op(XOR, RBP, RBP);
    w.op(CMP, RAX, R9);
    w.op(CMOVGE, RAX, RBP);
    w.op(MOV, at(R12, RBX, 4, 0), RAX.d());
    w.op(VMOVSS, x.x(), at(R8, RAX, 4, 0));
    w.op(VMOVSS, at(R13, RBX, 4, 0), x.x());
    w.op(VMOVSS, at(SCRATCH, RAX, 4, 0), none.x());
    w.op(INC, RBX);
    w.op(CMP, RBX, R10);
    w.op(JL, use);
  }

  /** Makes weights of the chosen scores. */
  private void weigh() {
    var each = w.label("each");
    var scaled = w.label("scaled");
    w.zero(best);
    w.op(XOR, RBX, RBX);
    w.loop(each);
    w.op(VBROADCASTSS, x, at(R13, RBX, 4, 0));
    switch (scoring) {
      case SOFTMAX -> {
        w.op(VSUBPS, x, x, greatest);
        exp.apply(x);
        w.op(VDIVPS, x, x, total);
      }
      case SIGMOID -> {
        w.zero(t);
        w.op(VSUBPS, x, t, x);
        exp.apply(x);
        w.op(VBROADCASTSS, t, at(w.assembler().floats("one", 1)));
        w.op(VADDPS, x, x, t);
        w.op(VDIVPS, x, t, x);
      }
    }
    w.op(VADDPS, best, best, x);
    w.op(VMOVSS, at(R13, RBX, 4, 0), x.x());
    w.op(INC, RBX);
    w.op(CMP, RBX, R10);
    w.op(JL, each);
    w.op(VBROADCASTSS, t, at(ARGUMENTS, RouteArguments.SCALE));
    if (weights == Routing.Weights.RENORMALIZED) w.op(VDIVPS, t, t, best);
    w.op(XOR, RBX, RBX);
    w.loop(scaled);
    w.op(VMULSS, x.x(), t.x(), at(R13, RBX, 4, 0));
    w.op(VMOVSS, at(R13, RBX, 4, 0), x.x());
    w.op(INC, RBX);
    w.op(CMP, RBX, R10);
    w.op(JL, scaled);
  }

  /** Counts the uses of each expert, makes the counts beginnings, and deals the uses out. */
  private void order() {
    var clear = w.label("clear");
    var count = w.label("count");
    var add = w.label("add");
    var row = w.label("deal_row");
    var deal = w.label("deal");
    w.note("r8 = chosen, r11 = uses, r12 = starts, r13 = places, r14 = sources, scratch = cursors");
    w.op(MOV, R8, at(ARGUMENTS, RouteArguments.CHOSEN));
    w.op(MOV, R11, at(ARGUMENTS, RouteArguments.ROWS));
    w.op(IMUL, R11, R10);
    w.op(MOV, R12, at(ARGUMENTS, RouteArguments.STARTS));
    w.op(MOV, R13, at(ARGUMENTS, RouteArguments.PLACES));
    w.op(MOV, R14, at(ARGUMENTS, RouteArguments.SOURCES));
    w.op(XOR, RAX, RAX);
    w.op(XOR, RBX, RBX);
    w.loop(clear);
    w.op(MOV, at(R12, RAX, 4, 0), RBX.d());
    w.op(INC, RAX);
    w.op(CMP, RAX, R9);
    w.op(JLE, clear);
    w.op(XOR, RAX, RAX);
    w.loop(count);
    w.op(MOVSXD, RBX, at(R8, RAX, 4, 0).sized(32));
    w.op(INC, at(R12, RBX, 4, 4).sized(32));
    w.op(INC, RAX);
    w.op(CMP, RAX, R11);
    w.op(JL, count);
    w.op(XOR, RAX, RAX);
    w.op(XOR, RBX, RBX);
    w.loop(add);
    w.op(ADD, RBX.d(), at(R12, RAX, 4, 0));
    w.op(MOV, at(R12, RAX, 4, 0), RBX.d());
    w.op(MOV, at(SCRATCH, RAX, 4, 0), RBX.d());
    w.op(INC, RAX);
    w.op(CMP, RAX, R9);
    w.op(JLE, add);
    w.note("r15 = row, rax = use");
    w.op(XOR, R15, R15);
    w.op(XOR, RAX, RAX);
    w.loop(row);
    w.op(MOV, RDX, R10);
    w.loop(deal);
    w.op(MOVSXD, RBX, at(R8, RAX, 4, 0).sized(32));
    w.op(MOVSXD, RBP, at(SCRATCH, RBX, 4, 0).sized(32));
    w.op(INC, at(SCRATCH, RBX, 4, 0).sized(32));
    w.op(MOV, at(R13, RAX, 4, 0), RBP.d());
    w.op(MOV, at(R14, RBP, 4, 0), R15.d());
    w.op(INC, RAX);
    w.op(DEC, RDX);
    w.op(JNE, deal);
    w.op(INC, R15);
    w.op(CMP, RAX, R11);
    w.op(JL, row);
  }
}
