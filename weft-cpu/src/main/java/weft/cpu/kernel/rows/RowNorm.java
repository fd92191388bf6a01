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

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.emit.Sweep;

/** Heads divided by their root mean square or by their length, in two passes over a head. */
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
  private final Sweep sweep;

  /** What a head is divided by, and what follows. */
  public enum Kind {
    RMS,
    ADD_RMS,
    L2
  }

  private RowNorm(KernelWriter w, Kind kind) {
    this.w = w;
    this.kind = kind;
    var registers = new Registers(w.isa());
    sums = registers.take(2);
    x = registers.take(2);
    scale = registers.take();
    sweep = new Sweep(w, registers, k(1));
  }

  public static String name(Kind kind) {
    return switch (kind) {
      case RMS -> "rownorm";
      case ADD_RMS -> "addnorm";
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
    if (kind == Kind.ADD_RMS) w.place(RESIDUAL, RowNormArguments.RESIDUAL, ROW, HEAD);
    squares();
    inverse();
    sweep.over(RAX, BYTES, this::multiply);
    w.op(INC, UNIT);
    w.op(CMP, UNIT, END);
    w.op(JL, unit);
    w.bind(done);
    w.end();
  }

  /** The sum of the squares, two vectors at a time while there are two: a sum waits on itself. */
  private void squares() {
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
      w.op(VFMADD231PS, sums[i], x[i], x[i]);
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
          w.op(VFMADD231PS, sums[0], x[0], x[0]);
        });
    w.op(VADDPS, sums[0], sums[0], sums[1]);
  }

  /** {@code scale = 1 / sqrt(sum / n + eps)} in every lane, without the n for a length. */
  private void inverse() {
    var sum = sums[0];
    var t = sums[1];
    w.sum(sum, t);
    if (kind != Kind.L2) {
      w.zero(t);
      w.op(VCVTSI2SS, t.x(), t.x(), at(ARGUMENTS, RowNormArguments.N).sized(32));
      w.op(VDIVSS, sum.x(), sum.x(), t.x());
    }
    w.op(VADDSS, sum.x(), sum.x(), at(ARGUMENTS, RowNormArguments.EPS));
    w.op(VSQRTSS, sum.x(), sum.x(), sum.x());
    w.op(VMOVSS, t.x(), at(w.assembler().floats("one", 1)));
    w.op(VDIVSS, t.x(), t.x(), sum.x());
    w.op(VBROADCASTSS, scale, t.x());
  }

  private void multiply(Sweep.Lanes lanes) {
    lanes.load(x[0], at(X, RAX, 1));
    w.op(VMULPS, x[0], x[0], scale);
    if (kind != Kind.L2) {
      lanes.load(x[1], at(WEIGHT, RAX, 1));
      w.op(VMULPS, x[0], x[0], x[1]);
    }
    if (kind == Kind.ADD_RMS) {
      lanes.load(x[1], at(RESIDUAL, RAX, 1));
      w.op(VADDPS, x[0], x[0], x[1]);
    }
    lanes.store(at(OUT, RAX, 1), x[0]);
  }
}
