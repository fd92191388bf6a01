package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.RAX;
import static weft.cpu.asm.Gpr.RBX;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.VADDPS;
import static weft.cpu.asm.VectorOp.VFMADD231PS;
import static weft.cpu.asm.VectorOp.VMOVSS;
import static weft.cpu.asm.VectorOp.VMOVUPS;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.format.FloatCode;

/** One row of float activations against rows of floats, halves or bfloats of any length. */
public final class FloatMatVec {
  private static final Gpr X = RBX;
  private static final Gpr STEPS = RAX;

  private final KernelWriter w;
  private final FloatCode code;
  private final Vec[] sums;
  private final Vec[] more;
  private final Vec[] x;
  private final Vec weights;

  private FloatMatVec(KernelWriter w, FloatCode code) {
    this.w = w;
    this.code = code;
    var registers = new Registers(w.isa());
    sums = registers.take(RowStreams.STREAMS);
    x = registers.take(2);
    weights = registers.take();
    more = registers.take(RowStreams.STREAMS);
  }

  static void emit(KernelWriter w, String name, FloatCode code) {
    w.begin(name);
    var kernel = new FloatMatVec(w, code);
    new RowStreams(w, kernel.sums, kernel.weights).emit(kernel::rows);
    w.end();
  }

  private void rows(int streams) {
    int lanes = weights.bits() / 32;
    for (int i = 0; i < streams; i++) {
      w.zero(sums[i]);
      w.zero(more[i]);
    }
    w.op(MOV, X, at(ARGUMENTS, MatMulArguments.X));
    new FloatSteps(w, STEPS).emit(2 * lanes, () -> many(streams, lanes), () -> one(streams));
    for (int i = 0; i < streams; i++) {
      w.op(VADDPS, sums[i], sums[i], more[i]);
    }
  }

  private void many(int streams, int lanes) {
    w.op(VMOVUPS, x[0], at(X));
    w.op(VMOVUPS, x[1], at(X, weights.bytes()));
    for (int i = 0; i < streams; i++) {
      var pointer = RowStreams.POINTERS.get(i);
      code.load(w, weights, at(pointer));
      w.op(VFMADD231PS, sums[i], weights, x[0]);
      code.load(w, weights, at(pointer, (long) lanes * code.bytes()));
      w.op(VFMADD231PS, more[i], weights, x[1]);
      w.op(ADD, pointer, imm(2L * lanes * code.bytes()));
    }
    w.op(ADD, X, imm(2L * weights.bytes()));
  }

  private void one(int streams) {
    w.op(VMOVSS, x[0].x(), at(X));
    for (int i = 0; i < streams; i++) {
      code.loadOne(w, weights, at(RowStreams.POINTERS.get(i)));
      // The product has zeros above its lowest lane, so all lanes may be added.
      w.op(VFMADD231PS, sums[i], weights, x[0]);
      w.op(ADD, RowStreams.POINTERS.get(i), imm(code.bytes()));
    }
    w.op(ADD, X, imm(4));
  }
}
