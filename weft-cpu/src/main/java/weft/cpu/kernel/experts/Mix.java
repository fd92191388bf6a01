package weft.cpu.kernel.experts;

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

/** What a row's experts gave, each times its weight, summed; the range is over columns. */
public final class Mix {
  public static final String NAME = "mix";

  private static final Gpr BYTES = TO;
  private static final Gpr PLACES = R8;
  private static final Gpr WEIGHTS = R9;
  private static final Gpr OUT = R10;
  private static final Gpr ROWS = R11;
  private static final Gpr USED = R12;
  private static final Gpr GIVEN_BYTES = R13;
  private static final Gpr GIVEN = R14;

  private final KernelWriter w;
  private final Sweep sweep;
  private final Vec sum;
  private final Vec given;
  private final Vec weight;

  private Mix(KernelWriter w) {
    this.w = w;
    var registers = new Registers(w.isa());
    sweep = new Sweep(w, registers, k(1));
    sum = registers.take();
    given = registers.take();
    weight = registers.take();
  }

  public static void emit(KernelWriter w) {
    new Mix(w).kernel();
  }

  private void kernel() {
    var row = w.label("row");
    var done = w.label("done");
    w.begin(NAME);
    w.op(SUB, BYTES, FROM);
    w.op(JLE, done);
    w.op(SHL, BYTES, imm(2));
    sweep.measure(BYTES, ROWS);
    w.note("results and what was given, from the first column on");
    w.op(MOV, OUT, at(ARGUMENTS, MixArguments.TO));
    w.op(LEA, OUT, at(OUT, FROM, 4, 0));
    w.op(MOV, GIVEN, at(ARGUMENTS, MixArguments.FROM));
    w.op(LEA, GIVEN, at(GIVEN, FROM, 4, 0));
    w.op(MOV, GIVEN_BYTES, at(ARGUMENTS, MixArguments.FROM_BYTES));
    w.op(MOV, PLACES, at(ARGUMENTS, MixArguments.PLACES));
    w.op(MOV, WEIGHTS, at(ARGUMENTS, MixArguments.WEIGHTS));
    w.op(MOV, USED, at(ARGUMENTS, MixArguments.USED));
    w.op(MOV, ROWS, at(ARGUMENTS, MixArguments.ROWS));
    w.loop(row);
    sweep.over(RAX, BYTES, this::column);
    w.op(LEA, PLACES, at(PLACES, USED, 4, 0));
    w.op(LEA, WEIGHTS, at(WEIGHTS, USED, 4, 0));
    w.op(ADD, OUT, at(ARGUMENTS, MixArguments.TO_BYTES));
    w.op(DEC, ROWS);
    w.op(JNE, row);
    w.bind(done);
    w.end();
  }

  private void column(Sweep.Lanes lanes) {
    var use = w.label("use");
    w.zero(sum);
    w.op(XOR, RBX, RBX);
    w.loop(use);
    w.op(MOVSXD, RBP, at(PLACES, RBX, 4, 0).sized(32));
    w.op(IMUL, RBP, GIVEN_BYTES);
    w.op(ADD, RBP, GIVEN);
    lanes.load(given, at(RBP, RAX, 1, 0));
    w.op(VBROADCASTSS, weight, at(WEIGHTS, RBX, 4, 0));
    w.op(VFMADD231PS, sum, weight, given);
    w.op(INC, RBX);
    w.op(CMP, RBX, USED);
    w.op(JL, use);
    lanes.store(at(OUT, RAX, 1, 0), sum);
  }
}
