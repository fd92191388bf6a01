package weft.cpu.kernel.attention;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;

import weft.cpu.asm.Gpr;
import weft.cpu.kernel.emit.KernelWriter;

/** Which rows and heads a unit of attention is, from its number. */
public final class AttendShare {
  /** What it leaves; it changes rax, rdx and r10. */
  static final Gpr ROW = R8;

  static final Gpr KV_HEAD = R9;
  static final Gpr HEAD = R11;
  static final Gpr HEADS = RBX;

  private static final Gpr SPLIT = R10;

  private AttendShare() {}

  /**
   * From the unit's number in rax to its row (or block of rows), its head of keys and values, its
   * first query head and how many there are.
   *
   * @param perHead where in the arguments the number of rows (or blocks) is
   */
  static void emit(KernelWriter w, int perHead) {
    w.note("r8 = row, r9 = head of keys, r10 = share of its group, r11 = first query head");
    w.divide(at(ARGUMENTS, perHead));
    w.op(MOV, ROW, RDX);
    w.divide(at(ARGUMENTS, AttendArguments.SPLITS));
    w.op(MOV, KV_HEAD, RAX);
    w.op(MOV, SPLIT, RDX);
    w.op(MOV, RAX, SPLIT);
    begin(w);
    w.op(MOV, HEAD, RAX);
    w.op(LEA, RAX, at(SPLIT, 1));
    begin(w);
    w.op(SUB, RAX, HEAD);
    w.op(MOV, HEADS, RAX);
    w.op(MOV, RAX, at(ARGUMENTS, AttendArguments.GROUP));
    w.op(IMUL, RAX, KV_HEAD);
    w.op(ADD, HEAD, RAX);
  }

  /** {@code rax = group * rax / splits}: where a share of the group begins. */
  private static void begin(KernelWriter w) {
    w.op(IMUL, RAX, at(ARGUMENTS, AttendArguments.GROUP));
    w.divide(at(ARGUMENTS, AttendArguments.SPLITS));
  }
}
