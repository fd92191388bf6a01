package weft.cpu.kernel;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.KernelWriter.FROM;
import static weft.cpu.kernel.KernelWriter.TO;

/**
 * What a row's experts gave, each times its weight, summed; the range is over columns, whole
 * vectors of the widest kind.
 */
final class Mix {
  static final String NAME = "mix";

  private Mix() {}

  static void emit(KernelWriter w) {
    var registers = new Registers(w.isa());
    var sum = registers.take();
    var weight = registers.take();
    var row = w.label("row");
    var column = w.label("column");
    var use = w.label("use");
    var done = w.label("done");
    w.begin(NAME);
    w.op(CMP, FROM, TO);
    w.op(JGE, done);
    w.note("r8 = places, r9 = weights, r10 = results, r11 = rows left, r12 = used; rax = byte");
    w.op(SHL, FROM, imm(2));
    w.op(SHL, TO, imm(2));
    w.op(MOV, R8, at(ARGUMENTS, MixArguments.PLACES));
    w.op(MOV, R9, at(ARGUMENTS, MixArguments.WEIGHTS));
    w.op(MOV, R10, at(ARGUMENTS, MixArguments.TO));
    w.op(MOV, R11, at(ARGUMENTS, MixArguments.ROWS));
    w.op(MOV, R12, at(ARGUMENTS, MixArguments.USED));
    w.op(MOV, R13, at(ARGUMENTS, MixArguments.FROM_BYTES));
    w.op(MOV, R14, at(ARGUMENTS, MixArguments.FROM));
    w.loop(row);
    w.op(MOV, RAX, FROM);
    w.loop(column);
    w.zero(sum);
    w.op(XOR, RBX, RBX);
    w.loop(use);
    w.op(MOVSXD, RBP, at(R8, RBX, 4, 0).sized(32));
    w.op(IMUL, RBP, R13);
    w.op(ADD, RBP, R14);
    w.op(VBROADCASTSS, weight, at(R9, RBX, 4, 0));
    w.op(VFMADD231PS, sum, weight, at(RBP, RAX, 1, 0));
    w.op(INC, RBX);
    w.op(CMP, RBX, R12);
    w.op(JL, use);
    w.op(VMOVUPS, at(R10, RAX, 1, 0), sum);
    w.op(ADD, RAX, imm(sum.bytes()));
    w.op(CMP, RAX, TO);
    w.op(JB, column);
    w.op(LEA, R8, at(R8, R12, 4, 0));
    w.op(LEA, R9, at(R9, R12, 4, 0));
    w.op(ADD, R10, at(ARGUMENTS, MixArguments.TO_BYTES));
    w.op(DEC, R11);
    w.op(JNE, row);
    w.bind(done);
    w.end();
  }
}
