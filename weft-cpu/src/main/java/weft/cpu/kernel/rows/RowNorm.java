package weft.cpu.kernel.rows;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mask.k;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.emit.KernelWriter.FROM;
import static weft.cpu.kernel.emit.KernelWriter.TO;

import java.util.function.Consumer;
import weft.cpu.asm.Gpr;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.emit.Sweep;

/**
 * Heads divided by their root mean square or by their length, in two passes over a head; a layer
 * norm takes their mean away first, which is one pass more.
 */
public final class RowNorm {
  private static final Gpr UNIT = FROM;
  private static final Gpr END = R15;
  private static final Gpr X = R8;
  private static final Gpr OUT = R9;
  private static final Gpr WEIGHT = R10;
  private static final Gpr BYTES = R11;
  private static final Gpr ROW = R12;
  private static final Gpr HEAD = R13;
  private static final Gpr RESIDUAL = R14;

  private final KernelWriter w;
  private final Kind kind;
  private final Vec[] sums;
  private final Vec[] x;
  private final Vec scale;
  private final Vec mean;
  private final Sweep sweep;

  /** What a head is divided by, and what follows. */
  public enum Kind {
    RMS,
    ADD_RMS,
    LAYER,
    L2
  }

  private RowNorm(KernelWriter w, Kind kind) {
    this.w = w;
    this.kind = kind;
    var registers = new Registers(w.isa());
    sums = registers.take(2);
    x = registers.take(2);
    scale = registers.take();
    mean = registers.take();
    sweep = new Sweep(w, registers, k(1));
  }

  public static String name(Kind kind) {
    return switch (kind) {
      case RMS -> "rownorm";
      case ADD_RMS -> "addnorm";
      case LAYER -> "layernorm";
      case L2 -> "l2norm";
    };
  }

  public static void emit(KernelWriter w, Kind kind) {
    new RowNorm(w, kind).emit();
  }

  private void emit() {
    var unit = w.label("unit");
    var done = w.label("done");
    w.begin(name(kind));
    w.op(CMP, FROM, TO);
    w.op(JGE, done);
    w.op(MOV, END, TO);
    w.op(MOV, WEIGHT, at(ARGUMENTS, RowNormArguments.WEIGHT));
    w.op(MOV, BYTES, at(ARGUMENTS, RowNormArguments.N));
    w.op(SHL, BYTES, imm(2));
    sweep.measure(BYTES, RCX);

    w.bind(unit);
    w.note("r8 = a head, r9 = where its norm goes, r14 = what is added");
    w.op(MOV, RAX, UNIT);
    w.divide(at(ARGUMENTS, RowNormArguments.HEADS));
    w.op(MOV, ROW, RAX);
    w.op(MOV, HEAD, RDX);
    w.place(X, RowNormArguments.FROM, ROW, HEAD);
    w.place(OUT, RowNormArguments.TO, ROW, HEAD);
    if (hasResidual()) w.place(RESIDUAL, RowNormArguments.RESIDUAL, ROW, HEAD);
    if (kind == Kind.LAYER) mean();
    squares();
    inverse();
    sweep.over(RAX, BYTES, this::multiply);
    w.op(INC, UNIT);
    w.op(CMP, UNIT, END);
    w.op(JL, unit);
    w.bind(done);
    w.end();
  }

  private boolean hasResidual() {
    return kind == Kind.ADD_RMS || kind == Kind.LAYER;
  }

  private void mean() {
    summed(x -> w.op(VADDPS, x.sum, x.sum, x.value));
    w.sum(sums[0], sums[1]);
    count(sums[1]);
    w.op(VDIVSS, sums[0].x(), sums[0].x(), sums[1].x());
    w.op(VBROADCASTSS, mean, sums[0].x());
  }

  private void squares() {
    summed(
        x -> {
          centered(x.value, x.lanes);
          w.op(VFMADD231PS, x.sum, x.value, x.value);
        });
  }

  /** Lanes behind the end stay zero. */
  private void centered(Vec value, Sweep.Lanes lanes) {
    if (kind != Kind.LAYER) return;
    w.op(VSUBPS, value, value, mean);
    lanes.clear(value);
  }

  /** A vector of a head, and the sum that it goes to. */
  private record Summand(Vec value, Vec sum, Sweep.Lanes lanes) {}

  /** A sum over a head, two vectors at a time while there are two: a sum waits on itself. */
  private void summed(Consumer<Summand> add) {
    var two = w.label("two");
    var rest = w.label("rest");
    w.zero(sums[0]);
    w.zero(sums[1]);
    int pair = 2 * sweep.vectorBytes();
    w.op(MOV, RDX, BYTES);
    w.op(MOV, RBX, X);
    w.op(SUB, RDX, imm(pair));
    w.op(JL, rest);
    w.loop(two);
    for (int i = 0; i < 2; i++) {
      w.op(VMOVUPS, x[i], at(RBX, (long) i * sweep.vectorBytes()));
      add.accept(new Summand(x[i], sums[i], sweep.whole()));
    }
    w.op(ADD, RBX, imm(pair));
    w.op(SUB, RDX, imm(pair));
    w.op(JGE, two);
    w.bind(rest);
    w.op(ADD, RDX, imm(pair));
    sweep.over(
        RAX,
        RDX,
        lanes -> {
          lanes.load(x[0], at(RBX, RAX, 1));
          add.accept(new Summand(x[0], sums[0], lanes));
        });
    w.op(VADDPS, sums[0], sums[0], sums[1]);
  }

  /** {@code scale = 1 / sqrt(sum / n + eps)} in every lane, without the n for a length. */
  private void inverse() {
    var sum = sums[0];
    var t = sums[1];
    w.sum(sum, t);
    if (kind != Kind.L2) {
      count(t);
      w.op(VDIVSS, sum.x(), sum.x(), t.x());
    }
    w.op(VADDSS, sum.x(), sum.x(), at(ARGUMENTS, RowNormArguments.EPS));
    w.op(VSQRTSS, sum.x(), sum.x(), sum.x());
    w.op(VMOVSS, t.x(), at(w.assembler().floats("one", 1)));
    w.op(VDIVSS, t.x(), t.x(), sum.x());
    w.op(VBROADCASTSS, scale, t.x());
  }

  /** How many elements a head has, as a float. */
  private void count(Vec to) {
    w.zero(to);
    w.op(VCVTSI2SS, to.x(), to.x(), at(ARGUMENTS, RowNormArguments.N).sized(32));
  }

  private void multiply(Sweep.Lanes lanes) {
    lanes.load(x[0], at(X, RAX, 1));
    if (kind == Kind.LAYER) w.op(VSUBPS, x[0], x[0], mean);
    w.op(VMULPS, x[0], x[0], scale);
    if (kind != Kind.L2) {
      lanes.load(x[1], at(WEIGHT, RAX, 1));
      w.op(VMULPS, x[0], x[0], x[1]);
    }
    if (hasResidual()) {
      lanes.load(x[1], at(RESIDUAL, RAX, 1));
      w.op(VADDPS, x[0], x[0], x[1]);
    }
    lanes.store(at(OUT, RAX, 1), x[0]);
  }
}
