package weft.cpu.kernel.recurrent;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mask.k;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.emit.KernelWriter.FROM;
import static weft.cpu.kernel.emit.KernelWriter.SCRATCH;
import static weft.cpu.kernel.emit.KernelWriter.TO;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.emit.Sweep;

/**
 * The gated delta rule a row at a time. The columns of a state know nothing of each other, so four
 * vectors of them go through both passes while they are in the first-level cache: what the key
 * reads, then the correction and what the query reads. Rows of a draft write to scratch what the
 * next one reads; rows that were kept go the way of all others, so the state has the same bits
 * whether a row was drafted or not.
 */
public final class DeltaRule {
  public static final String NAME = "deltarule";

  /** Vectors of columns in hand: as many sums as one fused multiply-add takes cycles. */
  private static final int COLUMNS = 4;

  private static final Gpr UNIT = FROM;
  private static final Gpr PART = RBP;
  private static final Gpr STATE = R14;

  /** From where the state is read to where it is written. */
  private static final Gpr AWAY = R15;

  private static final Gpr HEAD = R13;
  private static final Gpr ROW = R12;
  private static final Gpr KEY = R8;
  private static final Gpr QUERY = R9;
  private static final Gpr VALUE = R10;
  private static final Gpr OUT = R11;

  /** Bytes of a row of the state, and bytes into it. */
  private static final Gpr BYTES = RDX;

  private static final Gpr COLUMN = RAX;

  /** On the stack. */
  private static final int SCRATCH_AT = 0;

  private static final int END_AT = 8;
  private static final int STACK_BYTES = 16;

  private final KernelWriter w;
  private final Vec[] change;
  private final Vec[] sums;
  private final Vec s;
  private final Vec one;
  private final Vec two;
  private final Vec decay;
  private final Vec beta;
  private final Sweep sweep;

  private DeltaRule(KernelWriter w) {
    this.w = w;
    var registers = new Registers(w.isa());
    change = registers.take(COLUMNS);
    sums = registers.take(COLUMNS);
    s = registers.take();
    one = registers.take();
    two = registers.take();
    decay = registers.take();
    beta = registers.take();
    sweep = new Sweep(w, registers, k(1));
  }

  public static void emit(KernelWriter w) {
    new DeltaRule(w).emit();
  }

  private void emit() {
    var unit = w.label("unit");
    var row = w.label("row");
    var next = w.label("next");
    var done = w.label("done");
    w.begin(NAME);
    w.op(SUB, RSP, imm(STACK_BYTES));
    w.op(CMP, FROM, TO);
    w.op(JGE, done);
    w.op(MOV, at(RSP, END_AT), TO);
    w.op(MOV, at(RSP, SCRATCH_AT), SCRATCH);
    w.op(MOV, RCX, at(ARGUMENTS, DeltaRuleArguments.VALUE_BYTES));
    sweep.measure(RCX, RBX);
    w.bind(unit);
    w.note("rbp = part, r13 = head, r14 = its state, r12 = row, the kept ones before the first");
    w.op(MOV, RAX, UNIT);
    w.divide(at(ARGUMENTS, DeltaRuleArguments.HEADS));
    w.op(MOV, HEAD, RDX);
    w.op(IMUL, PART, RAX, imm(RecurrentPart.BYTES));
    w.op(ADD, PART, at(ARGUMENTS, DeltaRuleArguments.PARTS));
    w.op(MOV, STATE, at(ARGUMENTS, DeltaRuleArguments.STATE_BYTES));
    w.op(IMUL, STATE, HEAD);
    w.op(ADD, STATE, at(PART, RecurrentPart.STATE));
    w.op(XOR, AWAY.d(), AWAY.d());
    w.op(MOV, ROW, at(PART, RecurrentPart.BEGIN));
    w.op(CMP, ROW, at(PART, RecurrentPart.END));
    w.op(JGE, next);
    w.bind(row);
    row();
    w.op(INC, ROW);
    w.op(CMP, ROW, at(PART, RecurrentPart.END));
    w.op(JL, row);
    w.bind(next);
    w.op(INC, UNIT);
    w.op(CMP, UNIT, at(RSP, END_AT));
    w.op(JL, unit);
    w.bind(done);
    w.op(ADD, RSP, imm(STACK_BYTES));
    w.end();
  }

  private void row() {
    var kept = w.label("kept");
    var ready = w.label("ready");
    w.op(CMP, ROW, at(PART, RecurrentPart.FIRST));
    w.op(JL, kept);
    places();
    w.op(CMP, ROW, at(PART, RecurrentPart.DRAFT));
    w.op(JL, ready);
    keep();
    w.op(JMP, ready);
    w.bind(kept);
    keptPlaces();
    w.bind(ready);
    columns();
    w.note("what a draft has written is what its next row reads");
    w.op(ADD, STATE, AWAY);
    w.op(XOR, AWAY.d(), AWAY.d());
  }

  private void places() {
    w.op(MOV, RBX, at(ARGUMENTS, DeltaRuleArguments.KEY_HEADS));
    w.op(MOVSXD, RBX, at(RBX, HEAD, 4).sized(32));
    w.place(KEY, DeltaRuleArguments.K, ROW, RBX);
    w.place(QUERY, DeltaRuleArguments.Q, ROW, RBX);
    w.place(VALUE, DeltaRuleArguments.V, ROW, HEAD);
    w.place(OUT, DeltaRuleArguments.TO, ROW, HEAD);
    w.place(RBX, DeltaRuleArguments.DECAY, ROW, HEAD);
    w.op(VBROADCASTSS, decay, at(RBX));
    w.place(RBX, DeltaRuleArguments.BETA, ROW, HEAD);
    w.op(VBROADCASTSS, beta, at(RBX));
  }

  /** {@code to = } what is kept of the head, of the row that is so many behind {@code first}. */
  private void keptHead(Gpr to, int first) {
    w.op(MOV, to, ROW);
    w.op(SUB, to, at(PART, first));
    w.op(IMUL, to, at(ARGUMENTS, DeltaRuleArguments.HEADS));
    w.op(ADD, to, HEAD);
    w.op(IMUL, to, at(ARGUMENTS, DeltaRuleArguments.KEPT_BYTES));
    w.op(ADD, to, at(PART, RecurrentPart.KEPT));
  }

  /** A kept row: nobody reads of it, so any query does. */
  private void keptPlaces() {
    keptHead(KEY, RecurrentPart.BEGIN);
    w.op(MOV, QUERY, KEY);
    w.op(MOV, VALUE, KEY);
    w.op(ADD, VALUE, at(ARGUMENTS, DeltaRuleArguments.KEY_BYTES));
    w.op(MOV, RBX, VALUE);
    w.op(ADD, RBX, at(ARGUMENTS, DeltaRuleArguments.VALUE_BYTES));
    w.op(VBROADCASTSS, decay, at(RBX));
    w.op(VBROADCASTSS, beta, at(RBX, Float.BYTES));
    w.op(MOV, OUT, at(RSP, SCRATCH_AT));
    w.op(ADD, OUT, at(ARGUMENTS, DeltaRuleArguments.STATE_BYTES));
  }

  /** Keeps what a row of a draft goes by, and leaves the state alone. */
  private void keep() {
    keptHead(RBX, RecurrentPart.DRAFT);
    copy(KEY, DeltaRuleArguments.KEY_BYTES);
    copy(VALUE, DeltaRuleArguments.VALUE_BYTES);
    w.op(VMOVSS, at(RBX), decay.x());
    w.op(VMOVSS, at(RBX, Float.BYTES), beta.x());
    w.op(MOV, AWAY, at(RSP, SCRATCH_AT));
    w.op(SUB, AWAY, STATE);
  }

  /** Copies floats to rbx, which then points behind them. */
  private void copy(Gpr from, int bytes) {
    var next = w.label("copy");
    w.op(XOR, RCX.d(), RCX.d());
    w.bind(next);
    w.op(MOV, RAX.d(), at(from, RCX, 1).sized(32));
    w.op(MOV, at(RBX, RCX, 1).sized(32), RAX.d());
    w.op(ADD, RCX, imm(Float.BYTES));
    w.op(CMP, RCX, at(ARGUMENTS, bytes));
    w.op(JL, next);
    w.op(ADD, RBX, RCX);
  }

  /** All columns of the row: four vectors while there are four, then one, then what is left. */
  private void columns() {
    var four = w.label("four");
    var single = w.label("single");
    var part = w.label("part");
    var done = w.label("columns");
    int vector = sweep.vectorBytes();
    w.op(MOV, BYTES, at(ARGUMENTS, DeltaRuleArguments.VALUE_BYTES));
    w.op(XOR, COLUMN.d(), COLUMN.d());
    w.bind(four);
    w.op(LEA, RCX, at(COLUMN, (long) COLUMNS * vector));
    w.op(CMP, RCX, BYTES);
    w.op(JG, single);
    columns(COLUMNS, sweep.whole());
    w.op(ADD, COLUMN, imm((long) COLUMNS * vector));
    w.op(JMP, four);
    w.bind(single);
    w.op(LEA, RCX, at(COLUMN, vector));
    w.op(CMP, RCX, BYTES);
    w.op(JG, part);
    columns(1, sweep.whole());
    w.op(ADD, COLUMN, imm(vector));
    w.op(JMP, single);
    w.bind(part);
    w.op(CMP, COLUMN, BYTES);
    w.op(JGE, done);
    columns(1, sweep.part());
    w.bind(done);
  }

  private void columns(int count, Sweep.Lanes lanes) {
    int vector = sweep.vectorBytes();
    w.note("what the state knows of the key");
    for (int c = 0; c < count; c++) w.zero(change[c]);
    overKeys(
        () -> {
          w.op(VBROADCASTSS, one, at(KEY, RCX, 1));
          for (int c = 0; c < count; c++) {
            lanes.load(s, at(RBX, (long) c * vector));
            w.op(VFMADD231PS, change[c], s, one);
          }
        });
    w.note("change = beta (value - decay known)");
    for (int c = 0; c < count; c++) {
      lanes.load(s, at(VALUE, COLUMN, 1, (long) c * vector));
      w.op(VFNMADD231PS, s, change[c], decay);
      w.op(VMULPS, change[c], s, beta);
      w.zero(sums[c]);
    }
    w.note("state = decay state + key change, and what the query reads of it");
    overKeys(
        () -> {
          w.op(VBROADCASTSS, one, at(KEY, RCX, 1));
          w.op(VBROADCASTSS, two, at(QUERY, RCX, 1));
          for (int c = 0; c < count; c++) {
            lanes.load(s, at(RBX, (long) c * vector));
            w.op(VMULPS, s, s, decay);
            w.op(VFMADD231PS, s, change[c], one);
            lanes.store(at(RBX, AWAY, 1, (long) c * vector), s);
            w.op(VFMADD231PS, sums[c], s, two);
          }
        });
    for (int c = 0; c < count; c++) {
      lanes.store(at(OUT, COLUMN, 1, (long) c * vector), sums[c]);
    }
  }

  /** Runs the body for each row of the state: rbx is its columns, rcx bytes into key and query. */
  private void overKeys(Runnable body) {
    var key = w.label("key");
    w.op(LEA, RBX, at(STATE, COLUMN, 1));
    w.op(XOR, RCX.d(), RCX.d());
    w.loop(key);
    body.run();
    w.op(ADD, RBX, BYTES);
    w.op(ADD, RCX, imm(Float.BYTES));
    w.op(CMP, RCX, at(ARGUMENTS, DeltaRuleArguments.KEY_BYTES));
    w.op(JL, key);
  }
}
