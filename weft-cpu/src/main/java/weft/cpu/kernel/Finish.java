package weft.cpu.kernel;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.KernelWriter.FROM;
import static weft.cpu.kernel.KernelWriter.TO;

import java.util.Optional;
import weft.cpu.asm.Vec;
import weft.ir.Fn;

/** What follows the products of a projection: a bias and a residual, or a gate. */
final class Finish {
  static final String ADD_NAME = "finish.add";
  private static final float SQRT_2_OVER_PI = (float) Math.sqrt(2 / Math.PI);

  private final KernelWriter w;
  private final Vec a;
  private final Vec b;
  private final Vec gate;
  private final ExpCode exp;

  private Finish(KernelWriter w) {
    this.w = w;
    var registers = new Registers(w.isa());
    a = registers.take();
    b = registers.take();
    gate = registers.take();
    exp = new ExpCode(w, registers.take(), registers.take());
  }

  /** The name of the gate by a function, if it has an emitted form. */
  static Optional<String> gateName(Fn fn) {
    return switch (fn) {
      case SILU, GELU_TANH, SIGMOID -> Optional.of("finish.gate." + fn);
      case GELU_ERF, SOFTPLUS, EXP, NEG, TANH, RELU -> Optional.empty();
    };
  }

  static void emit(KernelWriter w) {
    var add = new Finish(w);
    add.kernel(
        ADD_NAME,
        () -> {
          w.op(VADDPS, add.a, add.a, at(RBX, RAX, 1));
          w.op(VADDPS, add.a, add.a, at(R9, RAX, 1));
        });
    for (var fn : Fn.values()) {
      var finish = new Finish(w);
      gateName(fn).ifPresent(name -> finish.kernel(name, () -> finish.gated(fn)));
    }
  }

  /** Runs the body for each vector of each row: it makes {@code a} the result. */
  private void kernel(String name, Runnable body) {
    var row = w.label("row");
    var column = w.label("column");
    var done = w.label("done");
    w.begin(name);
    w.note("r8 = a, r9 = b, r10 = out, rbx and rbp = their biases; rax = bytes into a row");
    w.op(CMP, FROM, TO);
    w.op(JGE, done);
    w.op(SHL, FROM, imm(2));
    w.op(SHL, TO, imm(2));
    w.op(MOV, R8, at(ARGUMENTS, FinishArguments.A));
    w.op(MOV, R9, at(ARGUMENTS, FinishArguments.B));
    w.op(MOV, R10, at(ARGUMENTS, FinishArguments.OUT));
    w.op(MOV, RBX, at(ARGUMENTS, FinishArguments.A_BIAS));
    w.op(MOV, RBP, at(ARGUMENTS, FinishArguments.B_BIAS));
    w.op(MOV, R11, at(ARGUMENTS, FinishArguments.ROWS));
    w.loop(row);
    w.op(MOV, RAX, FROM);
    w.loop(column);
    w.op(VMOVUPS, a, at(R8, RAX, 1));
    body.run();
    w.op(VMOVUPS, at(R10, RAX, 1), a);
    w.op(ADD, RAX, imm(a.bytes()));
    w.op(CMP, RAX, TO);
    w.op(JB, column);
    w.op(ADD, R8, at(ARGUMENTS, FinishArguments.A_BYTES));
    w.op(ADD, R9, at(ARGUMENTS, FinishArguments.B_BYTES));
    w.op(ADD, R10, at(ARGUMENTS, FinishArguments.OUT_BYTES));
    w.op(DEC, R11);
    w.op(JNE, row);
    w.bind(done);
    w.end();
  }

  /** {@code a = fn(a) * b}, where every fn here is something over {@code 1 + exp(-u)}. */
  private void gated(Fn fn) {
    w.op(VADDPS, a, a, at(RBX, RAX, 1));
    w.op(VMOVUPS, b, at(R9, RAX, 1));
    w.op(VADDPS, b, b, at(RBP, RAX, 1));
    switch (fn) {
      case SILU, SIGMOID -> {
        w.zero(gate);
        w.op(VSUBPS, gate, gate, a);
      }
      case GELU_TANH -> {
        w.note("tanh(z) = 2 / (1 + exp(-2 z)) - 1, so gelu(x) = x / (1 + exp(-2 z))");
        w.op(VMULPS, gate, a, a);
        w.op(VMULPS, gate, gate, exp.number("gelu cubic", -2 * 0.044715f * SQRT_2_OVER_PI));
        w.op(VADDPS, gate, gate, exp.number("gelu linear", -2 * SQRT_2_OVER_PI));
        w.op(VMULPS, gate, gate, a);
      }
      case GELU_ERF, SOFTPLUS, EXP, NEG, TANH, RELU ->
          throw new KernelException(fn + " has no emitted gate");
    }
    exp.apply(gate);
    w.op(VADDPS, gate, gate, exp.number("one", 1));
    if (fn == Fn.SIGMOID) {
      w.op(VDIVPS, a, b, gate);
    } else {
      w.op(VDIVPS, a, a, gate);
      w.op(VMULPS, a, a, b);
    }
  }
}
