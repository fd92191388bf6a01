package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.AND;
import static weft.cpu.asm.BaseOp.DEC;
import static weft.cpu.asm.BaseOp.JE;
import static weft.cpu.asm.BaseOp.JNE;
import static weft.cpu.asm.BaseOp.MOV;
import static weft.cpu.asm.BaseOp.SHR;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;

import weft.cpu.asm.Gpr;
import weft.cpu.kernel.emit.KernelWriter;

/** The way along a row of floats of any length: many at a time, then what is left one by one. */
record FloatSteps(KernelWriter w, Gpr steps) {
  /**
   * @param values how many a step takes, a power of two
   * @param many a step's code; it leaves all pointers behind its values
   * @param one the same for one value
   */
  void emit(int values, Runnable many, Runnable one) {
    var step = w.label("step");
    var rest = w.label("rest");
    var single = w.label("one");
    var done = w.label("done");
    w.op(MOV, steps, at(ARGUMENTS, MatMulArguments.K));
    w.op(SHR, steps, imm(Integer.numberOfTrailingZeros(values)));
    w.op(JE, rest);
    w.loop(step);
    many.run();
    w.op(DEC, steps);
    w.op(JNE, step);

    w.note("what is left, one by one; the lanes above the lowest are zero");
    w.bind(rest);
    w.op(MOV, steps, at(ARGUMENTS, MatMulArguments.K));
    w.op(AND, steps, imm(values - 1));
    w.op(JE, done);
    w.loop(single);
    one.run();
    w.op(DEC, steps);
    w.op(JNE, single);
    w.bind(done);
  }
}
