package weft.cpu.kernel.attention;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.emit.KernelWriter.FROM;
import static weft.cpu.kernel.emit.KernelWriter.SCRATCH;
import static weft.cpu.kernel.emit.KernelWriter.TO;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Label;
import weft.cpu.kernel.emit.KernelWriter;

/**
 * Attention of many rows and heads: for each unit an {@link AttendUnit} is made at the beginning of
 * the worker's scratch, the scores lie behind it, and {@link Attend} does the rest.
 */
public final class AttendRows {
  /** The heads whose scores a worker holds at a time. */
  static final int MOST_HEADS = 4;

  private static final Gpr ROW = AttendShare.ROW;
  private static final Gpr KV_HEAD = AttendShare.KV_HEAD;
  private static final Gpr HEAD = AttendShare.HEAD;

  /** In the arguments. */
  private static final int PART = AttendArguments.PART;

  private final KernelWriter w;

  private AttendRows(KernelWriter w) {
    this.w = w;
  }

  /** The kernel of many units; {@code unit} is the function that serves one. */
  static void emit(KernelWriter w, String name, Label unit) {
    new AttendRows(w).emit(name, unit);
  }

  private void emit(String name, Label unit) {
    var next = w.label("next");
    var done = w.label("done");
    w.begin(name);
    w.op(CMP, FROM, TO);
    w.op(JGE, done);
    w.bind(next);
    for (var r : new Gpr[] {FROM, TO, SCRATCH, ARGUMENTS}) w.op(PUSH, r);
    w.op(MOV, RAX, FROM);
    AttendShare.emit(w, AttendArguments.BLOCKS);
    w.op(MOV, at(SCRATCH, AttendUnit.HEADS), AttendShare.HEADS);
    places();
    sizes();
    w.op(MOV, ARGUMENTS, SCRATCH);
    w.op(CALL, unit);
    for (var r : new Gpr[] {ARGUMENTS, SCRATCH, TO, FROM}) w.op(POP, r);
    w.op(INC, FROM);
    w.op(CMP, FROM, TO);
    w.op(JL, next);
    w.bind(done);
    w.end();
  }

  /** {@code [scratch + to] = base + row * rowBytes + head * dim * 4}. */
  private void floats(int to, int base, int rowBytes, int dim) {
    w.op(MOV, RAX, at(ARGUMENTS, rowBytes));
    w.op(IMUL, RAX, ROW);
    w.op(ADD, RAX, at(ARGUMENTS, base));
    w.op(MOV, RDX, at(ARGUMENTS, dim));
    w.op(IMUL, RDX, HEAD);
    w.op(LEA, RAX, at(RAX, RDX, 4));
    w.op(MOV, at(SCRATCH, to), RAX);
  }

  private void places() {
    floats(
        AttendUnit.Q,
        AttendArguments.QUERIES,
        AttendArguments.QUERY_ROW_BYTES,
        AttendArguments.KEY_DIM);
    floats(
        AttendUnit.OUT, AttendArguments.OUT, AttendArguments.OUT_BYTES, AttendArguments.VALUE_DIM);
    positions();
  }

  /** The positions that the row sees: the first one's page and place there, and how many. */
  private void positions() {
    w.note("rbx = positions seen, rax = the first");
    w.op(MOV, RAX, at(ARGUMENTS, PART + KvPart.POSITION));
    w.op(LEA, RAX, at(RAX, ROW, 1, 1));
    w.op(MOV, RBX, at(ARGUMENTS, PART + KvPart.WINDOW));
    w.op(CMP, RBX, RAX);
    w.op(CMOVG, RBX, RAX);
    w.note("rdx = positions behind the row's own that it sees");
    w.op(MOV, RDX, at(ARGUMENTS, PART + KvPart.REACH));
    w.op(INC, RDX);
    w.op(CMP, RDX, RAX);
    w.op(CMOVL, RDX, RAX);
    w.op(SUB, RDX, RAX);
    w.op(SUB, RAX, RBX);
    w.op(ADD, RBX, RDX);
    w.op(MOV, at(SCRATCH, AttendUnit.COUNT), RBX);
    w.op(MOV, RDX, RAX);
    w.op(AND, RDX, imm(KvPart.POSITIONS - 1));
    w.op(MOV, at(SCRATCH, AttendUnit.PLACE), RDX);
    w.op(SHR, RAX, imm(KvPart.SHIFT));
    w.op(MOV, RDX, at(ARGUMENTS, PART + KvPart.PAGES));
    w.op(LEA, RAX, at(RDX, RAX, 8));
    w.op(MOV, at(SCRATCH, AttendUnit.PAGES), RAX);
    inPage(AttendUnit.KEYS, KvPart.KEYS_AT, KvPart.KEY_HEAD_BYTES);
    inPage(AttendUnit.VALUES, KvPart.VALUES_AT, KvPart.VALUE_HEAD_BYTES);
  }

  private void inPage(int to, int first, int headBytes) {
    w.op(MOV, RAX, at(ARGUMENTS, PART + headBytes));
    w.op(IMUL, RAX, KV_HEAD);
    w.op(ADD, RAX, at(ARGUMENTS, PART + first));
    w.op(MOV, at(SCRATCH, to), RAX);
  }

  private void sizes() {
    copy(AttendArguments.KEY_DIM, AttendUnit.KEY_DIM);
    copy(AttendArguments.VALUE_DIM, AttendUnit.VALUE_DIM);
    copy(PART + KvPart.KEY_BYTES, AttendUnit.KEY_BYTES);
    copy(PART + KvPart.VALUE_BYTES, AttendUnit.VALUE_BYTES);
    copy(AttendArguments.CAPS, AttendUnit.CAPS);
    w.op(LEA, RAX, at(SCRATCH, AttendUnit.BYTES));
    w.op(MOV, at(SCRATCH, AttendUnit.SCORES), RAX);
    w.note("scores of a head: whole lines of the cache and a vector behind them");
    w.op(MOV, RAX, at(SCRATCH, AttendUnit.COUNT));
    w.op(SHL, RAX, imm(2));
    w.op(ADD, RAX, imm(2 * 64 - 1));
    w.op(AND, RAX, imm(-64));
    w.op(ADD, RAX, imm(64));
    w.op(MOV, at(SCRATCH, AttendUnit.SCORE_BYTES), RAX);
  }

  private void copy(int from, int to) {
    w.op(MOV, RAX, at(ARGUMENTS, from));
    w.op(MOV, at(SCRATCH, to), RAX);
  }
}
