package weft.cpu.kernel.attention;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.VBROADCASTSS;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.emit.KernelWriter.FROM;
import static weft.cpu.kernel.emit.KernelWriter.SCRATCH;
import static weft.cpu.kernel.emit.KernelWriter.TO;

import java.util.Locale;
import weft.cpu.asm.Gpr;
import weft.cpu.kernel.emit.HeadRows;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;
import weft.ir.Op;

/**
 * What attention does to a row before it reads: its key turns and is stored with its value, its
 * queries turn and are scaled. A unit of work is a row's head of keys with the queries that share
 * it.
 */
public final class KvStore {
  private static final Gpr UNIT = FROM;
  private static final Gpr END = R15;
  private static final Gpr ROW = R12;
  private static final Gpr HEAD = R13;

  /** The row's position, then how many queries are left. */
  private static final Gpr POSITION = R14;

  private static final int PART = KvStoreArguments.PART;

  private final KernelWriter w;
  private final TurnCode turn;
  private final KvEncodeCode encode;

  private KvStore(KernelWriter w, KvKind kind, Op.Pairing pairing) {
    this.w = w;
    var registers = new Registers(w.isa());
    var places = new TurnCode.Places(KvStoreArguments.ANGLES, KvStoreArguments.KEY_DIM);
    turn = new TurnCode(w, registers, pairing, places);
    encode = new KvEncodeCode(w, registers, kind);
  }

  public static String name(KvKind kind, Op.Pairing pairing) {
    return "store." + kind + "." + pairing.name().toLowerCase(Locale.ROOT);
  }

  public static void emit(KernelWriter w, KvKind kind, Op.Pairing pairing) {
    new KvStore(w, kind, pairing).emit(name(kind, pairing));
  }

  private void emit(String name) {
    var unit = w.label("unit");
    var done = w.label("done");
    w.begin(name);
    w.op(CMP, FROM, TO);
    w.op(JGE, done);
    w.op(MOV, END, TO);
    turn.begin();
    w.bind(unit);
    w.note("r12 = row, r13 = head of keys, r14 = its position");
    w.op(MOV, RAX, UNIT);
    w.divide(at(ARGUMENTS, KvStoreArguments.KV_HEADS));
    w.op(MOV, ROW, RAX);
    w.op(MOV, HEAD, RDX);
    w.op(MOV, POSITION, ROW);
    w.op(ADD, POSITION, at(ARGUMENTS, PART + KvPart.POSITION));
    turn.angles(ROW);
    key();
    value();
    queries();
    w.op(INC, UNIT);
    w.op(CMP, UNIT, END);
    w.op(JL, unit);
    w.bind(done);
    w.end();
    turn.emit();
    encode.emit();
  }

  private void factors(int turned, int rest) {
    w.op(VBROADCASTSS, turn.turned(), at(ARGUMENTS, turned));
    w.op(VBROADCASTSS, turn.rest(), at(ARGUMENTS, rest));
  }

  private void key() {
    w.place(TurnCode.HEAD, KvStoreArguments.K, ROW, HEAD);
    w.op(MOV, TurnCode.TO, SCRATCH);
    factors(KvStoreArguments.K_TURNED, KvStoreArguments.K_REST);
    turn.call();
    w.op(MOV, KvEncodeCode.FLOATS, SCRATCH);
    stored(KvPart.KEYS_AT, KvPart.KEY_HEAD_BYTES, KvPart.KEY_BYTES);
    w.op(MOV, KvEncodeCode.COUNT, at(ARGUMENTS, KvStoreArguments.KEY_DIM));
    encode.call();
  }

  private void value() {
    w.place(KvEncodeCode.FLOATS, KvStoreArguments.V, ROW, HEAD);
    stored(KvPart.VALUES_AT, KvPart.VALUE_HEAD_BYTES, KvPart.VALUE_BYTES);
    w.op(MOV, KvEncodeCode.COUNT, at(ARGUMENTS, KvStoreArguments.VALUE_DIM));
    encode.call();
  }

  /** Where the row's key or value of the head goes; changes rax. */
  private void stored(int inPage, int headBytes, int bytes) {
    w.op(MOV, RAX, POSITION);
    w.op(SHR, RAX, imm(KvPart.SHIFT));
    w.op(MOV, KvEncodeCode.TO, at(ARGUMENTS, PART + KvPart.PAGES));
    w.op(MOV, KvEncodeCode.TO, at(KvEncodeCode.TO, RAX, 8));
    w.op(ADD, KvEncodeCode.TO, at(ARGUMENTS, PART + inPage));
    w.op(MOV, RAX, at(ARGUMENTS, PART + headBytes));
    w.op(IMUL, RAX, HEAD);
    w.op(ADD, KvEncodeCode.TO, RAX);
    w.op(MOV, RAX, POSITION);
    w.op(AND, RAX, imm(KvPart.POSITIONS - 1));
    w.op(IMUL, RAX, at(ARGUMENTS, PART + bytes));
    w.op(ADD, KvEncodeCode.TO, RAX);
  }

  private void queries() {
    var query = w.label("query");
    w.note("the queries that share this head, turned and scaled");
    w.op(IMUL, HEAD, at(ARGUMENTS, KvStoreArguments.GROUP));
    w.place(TurnCode.HEAD, KvStoreArguments.Q, ROW, HEAD);
    w.op(MOV, TurnCode.TO, at(ARGUMENTS, KvStoreArguments.KV_HEADS));
    w.op(IMUL, TurnCode.TO, at(ARGUMENTS, KvStoreArguments.GROUP));
    w.op(IMUL, TurnCode.TO, ROW);
    w.op(ADD, TurnCode.TO, HEAD);
    w.op(IMUL, TurnCode.TO, at(ARGUMENTS, KvStoreArguments.QUERY_BYTES));
    w.op(ADD, TurnCode.TO, at(ARGUMENTS, KvStoreArguments.QUERIES));
    w.op(MOV, POSITION, at(ARGUMENTS, KvStoreArguments.GROUP));
    factors(KvStoreArguments.Q_TURNED, KvStoreArguments.Q_REST);
    w.bind(query);
    turn.call();
    w.op(ADD, TurnCode.HEAD, at(ARGUMENTS, KvStoreArguments.Q + HeadRows.HEAD_BYTES));
    w.op(ADD, TurnCode.TO, at(ARGUMENTS, KvStoreArguments.QUERY_BYTES));
    w.op(DEC, POSITION);
    w.op(JNE, query);
  }
}
