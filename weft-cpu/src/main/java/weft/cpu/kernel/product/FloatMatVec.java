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
    var step = w.label("step");
    var rest = w.label("rest");
    var one = w.label("one");
    var done = w.label("done");
    int lanes = weights.bits() / 32;
    for (int i = 0; i < streams; i++) {
      w.zero(sums[i]);
      w.zero(more[i]);
    }
    w.op(MOV, X, at(ARGUMENTS, MatMulArguments.X));
    w.op(MOV, STEPS, at(ARGUMENTS, MatMulArguments.K));
    w.op(SHR, STEPS, imm(Integer.numberOfTrailingZeros(2 * lanes)));
    w.op(JE, rest);
    w.loop(step);
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
    w.op(DEC, STEPS);
    w.op(JNE, step);

    w.note("what is left, one by one");
    w.bind(rest);
    w.op(MOV, STEPS, at(ARGUMENTS, MatMulArguments.K));
    w.op(AND, STEPS, imm(2 * lanes - 1));
    w.op(JE, done);
    w.loop(one);
    w.op(VMOVSS, x[0].x(), at(X));
    for (int i = 0; i < streams; i++) {
      code.loadOne(w, weights, at(RowStreams.POINTERS.get(i)));
      // The product has zeros above its lowest lane, so all lanes may be added.
      w.op(VFMADD231PS, sums[i], weights, x[0]);
      w.op(ADD, RowStreams.POINTERS.get(i), imm(code.bytes()));
    }
    w.op(ADD, X, imm(4));
    w.op(DEC, STEPS);
    w.op(JNE, one);
    w.bind(done);
    for (int i = 0; i < streams; i++) {
      w.op(VADDPS, sums[i], sums[i], more[i]);
    }
  }
}
