package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mask.k;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.VADDPS;
import static weft.cpu.asm.VectorOp.VMULPS;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.emit.KernelWriter.FROM;
import static weft.cpu.kernel.emit.KernelWriter.TO;

import java.util.function.Consumer;
import weft.cpu.asm.Gpr;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.FnCode;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.emit.Sweep;
import weft.ir.Fn;

/** What follows the products of a projection: a bias, and a residual, a gate or a function. */
public final class Finish {
  public static final String ADD_NAME = "finish.add";

  private static final Gpr A = R8;
  private static final Gpr B = R9;
  private static final Gpr OUT = R10;
  private static final Gpr A_BIAS = RBX;
  private static final Gpr B_BIAS = RBP;
  private static final Gpr ROWS = R11;
  private static final Gpr BYTES = TO;

  private final KernelWriter w;
  private final Vec a;
  private final Vec b;
  private final Vec t;
  private final FnCode functions;
  private final Sweep sweep;

  private Finish(KernelWriter w) {
    this.w = w;
    var registers = new Registers(w.isa());
    a = registers.take();
    b = registers.take();
    t = registers.take();
    functions = new FnCode(w, registers);
    sweep = new Sweep(w, registers, k(1));
  }

  public static String gateName(Fn fn) {
    return "finish.gate." + fn;
  }

  public static String mapName(Fn fn) {
    return "finish.map." + fn;
  }

  /** {@code fn(a + aBias)}. */
  public static void emitMap(KernelWriter w, Fn fn) {
    var finish = new Finish(w);
    finish.kernel(
        mapName(fn),
        lanes -> {
          finish.biased(finish.a, A, A_BIAS, lanes);
          finish.functions.apply(fn, finish.a);
        });
  }

  /** {@code a + aBias + b}. */
  public static void emitAdd(KernelWriter w) {
    var finish = new Finish(w);
    finish.kernel(
        ADD_NAME,
        lanes -> {
          finish.biased(finish.a, A, A_BIAS, lanes);
          lanes.load(finish.b, at(B, RAX, 1));
          w.op(VADDPS, finish.a, finish.a, finish.b);
        });
  }

  /** {@code fn(a + aBias) * (b + bBias)}. */
  public static void emitGate(KernelWriter w, Fn fn) {
    var finish = new Finish(w);
    finish.kernel(
        gateName(fn),
        lanes -> {
          finish.biased(finish.a, A, A_BIAS, lanes);
          finish.functions.apply(fn, finish.a);
          finish.biased(finish.b, B, B_BIAS, lanes);
          w.op(VMULPS, finish.a, finish.a, finish.b);
        });
  }

  private void biased(Vec to, Gpr from, Gpr bias, Sweep.Lanes lanes) {
    lanes.load(to, at(from, RAX, 1));
    lanes.load(t, at(bias, RAX, 1));
    w.op(VADDPS, to, to, t);
  }

  /** Runs the body for each vector of each row: it makes {@code a} the result. */
  private void kernel(String name, Consumer<Sweep.Lanes> body) {
    var row = w.label("row");
    var done = w.label("done");
    w.begin(name);
    w.note("r8 = a, r9 = b, r10 = out, rbx and rbp = their biases, all from the first column on");
    w.op(SUB, BYTES, FROM);
    w.op(JLE, done);
    w.op(SHL, BYTES, imm(2));
    sweep.measure(BYTES, R11);
    place(A, FinishArguments.A);
    place(B, FinishArguments.B);
    place(OUT, FinishArguments.OUT);
    place(A_BIAS, FinishArguments.A_BIAS);
    place(B_BIAS, FinishArguments.B_BIAS);
    w.op(MOV, ROWS, at(ARGUMENTS, FinishArguments.ROWS));
    w.bind(row);
    sweep.over(
        RAX,
        BYTES,
        lanes -> {
          body.accept(lanes);
          lanes.store(at(OUT, RAX, 1), a);
        });
    w.op(ADD, A, at(ARGUMENTS, FinishArguments.A_BYTES));
    w.op(ADD, B, at(ARGUMENTS, FinishArguments.B_BYTES));
    w.op(ADD, OUT, at(ARGUMENTS, FinishArguments.OUT_BYTES));
    w.op(DEC, ROWS);
    w.op(JNE, row);
    w.bind(done);
    w.end();
  }

  private void place(Gpr to, int argument) {
    w.op(MOV, to, at(ARGUMENTS, argument));
    w.op(LEA, to, at(to, FROM, 4));
  }
}
