package weft.cpu.kernel;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.KernelWriter.FROM;
import static weft.cpu.kernel.KernelWriter.TO;

import weft.cpu.asm.Vec;

/** Rows divided by their root mean square and multiplied by a weight, in two passes over a row. */
public final class RowNorm {
  /** A row is a whole number of this many floats: two of the widest vectors. */
  public static final int MULTIPLE = 32;

  static final String NAME = "rownorm";

  private RowNorm() {}

  static void emit(KernelWriter w) {
    var registers = new Registers(w.isa());
    var sums = registers.take(2);
    var x = registers.take(2);
    var scale = registers.take();
    int vector = x[0].bytes();
    var row = w.label("row");
    var square = w.label("square");
    var multiply = w.label("multiply");
    var done = w.label("done");
    w.begin(NAME);
    w.note("r8 = from, r9 = to, r10 = weight, r11 = bytes of a row");
    w.op(CMP, FROM, TO);
    w.op(JGE, done);
    w.op(MOV, R8, at(ARGUMENTS, RowNormArguments.FROM_BYTES));
    w.op(IMUL, R8, FROM);
    w.op(ADD, R8, at(ARGUMENTS, RowNormArguments.FROM));
    w.op(MOV, R9, at(ARGUMENTS, RowNormArguments.TO_BYTES));
    w.op(IMUL, R9, FROM);
    w.op(ADD, R9, at(ARGUMENTS, RowNormArguments.TO));
    w.op(MOV, R10, at(ARGUMENTS, RowNormArguments.WEIGHT));
    w.op(MOV, R11, at(ARGUMENTS, RowNormArguments.N));
    w.op(SHL, R11, imm(2));

    w.loop(row);
    w.zero(sums[0]);
    w.zero(sums[1]);
    w.op(XOR, RAX, RAX);
    w.loop(square);
    for (int i = 0; i < 2; i++) {
      w.op(VMOVUPS, x[i], at(R8, RAX, 1, (long) i * vector));
      w.op(VFMADD231PS, sums[i], x[i], x[i]);
    }
    w.op(ADD, RAX, imm(2L * vector));
    w.op(CMP, RAX, R11);
    w.op(JB, square);
    w.op(VADDPS, sums[0], sums[0], sums[1]);
    inverse(w, sums[0], sums[1], scale);
    w.op(XOR, RAX, RAX);
    w.loop(multiply);
    for (int i = 0; i < 2; i++) {
      w.op(VMULPS, x[i], scale, at(R8, RAX, 1, (long) i * vector));
      w.op(VMULPS, x[i], x[i], at(R10, RAX, 1, (long) i * vector));
      w.op(VMOVUPS, at(R9, RAX, 1, (long) i * vector), x[i]);
    }
    w.op(ADD, RAX, imm(2L * vector));
    w.op(CMP, RAX, R11);
    w.op(JB, multiply);
    w.op(ADD, R8, at(ARGUMENTS, RowNormArguments.FROM_BYTES));
    w.op(ADD, R9, at(ARGUMENTS, RowNormArguments.TO_BYTES));
    w.op(INC, FROM);
    w.op(CMP, FROM, TO);
    w.op(JL, row);
    w.bind(done);
    w.end();
  }

  /** {@code scale = 1 / sqrt(sum / n + eps)} in every lane. */
  private static void inverse(KernelWriter w, Vec sum, Vec t, Vec scale) {
    w.fold(sum, t);
    w.op(VHADDPS, sum.x(), sum.x(), sum.x());
    w.op(VHADDPS, sum.x(), sum.x(), sum.x());
    w.zero(t);
    w.op(VCVTSI2SS, t.x(), t.x(), at(ARGUMENTS, RowNormArguments.N).sized(32));
    w.op(VDIVSS, sum.x(), sum.x(), t.x());
    w.op(VADDSS, sum.x(), sum.x(), at(ARGUMENTS, RowNormArguments.EPS));
    w.op(VSQRTSS, sum.x(), sum.x(), sum.x());
    w.op(VMOVSS, t.x(), at(w.assembler().floats("one", 1)));
    w.op(VDIVSS, t.x(), t.x(), sum.x());
    w.op(VBROADCASTSS, scale, t.x());
  }
}
