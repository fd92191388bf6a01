package weft.cpu.kernel.experts;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.emit.KernelWriter.FROM;
import static weft.cpu.kernel.emit.KernelWriter.SCRATCH;
import static weft.cpu.kernel.emit.KernelWriter.TO;

import weft.cpu.asm.Gpr;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.product.MatMulArguments;

/**
 * The products of every expert that is used with its rows, by the kernel that fits their number:
 * what no row uses is not read. The range is over an expert's packed rows, so all workers share
 * every expert.
 */
public final class ExpertProducts {
  public static final String NAME = "experts";

  private static final Gpr EXPERT = RBX;
  private static final Gpr BLOCK = RBP;
  private static final Gpr GIVEN = R12;
  private static final Gpr FIRST = R13;
  private static final Gpr LAST = R14;
  private static final Gpr SPARE = R15;

  private ExpertProducts() {}

  public static void emit(KernelWriter w) {
    var expert = w.label("expert");
    var next = w.label("next");
    var done = w.label("done");
    w.begin(NAME);
    w.note("the inner kernel's arguments lie on the stack, which stays even by 8 bytes more");
    w.op(SUB, RSP, imm(MatMulArguments.BYTES + 8));
    w.op(CMP, FROM, TO);
    w.op(JGE, done);
    w.op(MOV, GIVEN, ARGUMENTS);
    w.op(MOV, FIRST, FROM);
    w.op(MOV, LAST, TO);
    w.op(MOV, SPARE, SCRATCH);
    w.op(MOV, BLOCK, RSP);
    copy(w, ExpertProductsArguments.ROW_BYTES, MatMulArguments.ROW_BYTES);
    copy(w, ExpertProductsArguments.K, MatMulArguments.K);
    copy(w, ExpertProductsArguments.X_BYTES, MatMulArguments.X_BYTES);
    copy(w, ExpertProductsArguments.OUT_BYTES, MatMulArguments.OUT_BYTES);
    w.op(MOV, at(BLOCK, MatMulArguments.ADDS).sized(64), imm(0));
    w.op(XOR, EXPERT, EXPERT);

    w.loop(expert);
    w.note("rax = where its rows begin, rdx = how many there are");
    w.op(MOV, R8, at(GIVEN, ExpertProductsArguments.STARTS));
    w.op(MOVSXD, RAX, at(R8, EXPERT, 4, 0).sized(32));
    w.op(MOVSXD, RDX, at(R8, EXPERT, 4, 4).sized(32));
    w.op(SUB, RDX, RAX);
    w.op(JLE, next);
    w.note("an expert that is not there is another round's");
    w.op(MOV, R9, at(GIVEN, ExpertProductsArguments.WEIGHTS));
    w.op(MOV, R9, at(R9, EXPERT, 8, 0));
    w.op(TEST, R9, R9);
    w.op(JE, next);
    w.note("a row uses an expert once, so there are no more than rows, and those have kernels");
    w.op(MOV, R8, at(GIVEN, ExpertProductsArguments.ROWS));
    w.op(CMP, RDX, R8);
    w.op(CMOVG, RDX, R8);
    w.op(MOV, at(BLOCK, MatMulArguments.TOKENS), RDX);
    w.op(MOV, at(BLOCK, MatMulArguments.WEIGHTS), R9);
    w.op(MOV, R8, at(GIVEN, ExpertProductsArguments.X_BYTES));
    w.op(IMUL, R8, RAX);
    w.op(ADD, R8, at(GIVEN, ExpertProductsArguments.X));
    w.op(MOV, at(BLOCK, MatMulArguments.X), R8);
    w.op(MOV, R8, at(GIVEN, ExpertProductsArguments.OUT_BYTES));
    w.op(IMUL, R8, RAX);
    w.op(ADD, R8, at(GIVEN, ExpertProductsArguments.OUT));
    w.op(MOV, at(BLOCK, MatMulArguments.OUT), R8);
    w.op(MOV, RAX.d(), imm(ExpertProductsArguments.KERNEL_COUNT));
    w.op(CMP, RDX, RAX);
    w.op(CMOVG, RDX, RAX);
    w.op(MOV, R8, at(GIVEN, ExpertProductsArguments.KERNELS));
    w.op(MOV, RAX, at(R8, RDX, 8, -8));
    w.op(MOV, ARGUMENTS, BLOCK);
    w.op(MOV, FROM, FIRST);
    w.op(MOV, TO, LAST);
    w.op(MOV, SCRATCH, SPARE);
    w.op(CALL, RAX);
    w.bind(next);
    w.op(INC, EXPERT);
    w.op(CMP, EXPERT, at(GIVEN, ExpertProductsArguments.EXPERTS));
    w.op(JL, expert);
    w.bind(done);
    w.op(ADD, RSP, imm(MatMulArguments.BYTES + 8));
    w.end();
  }

  private static void copy(KernelWriter w, int from, int to) {
    w.op(MOV, RAX, at(GIVEN, from));
    w.op(MOV, at(BLOCK, to), RAX);
  }
}
