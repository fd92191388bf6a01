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
import weft.cpu.asm.Label;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.emit.Sweep;

/**
 * The gated delta rule. The columns of a state know nothing of each other, so two vectors of them
 * go through all rows before the next two: they are read once, stay in the first-level cache
 * (packed, for their places in a state of 128 by 128 share a quarter of it), and what a row leaves
 * meets its query and the next row's key in one pass. The last firm row writes them back; rows of a
 * draft go on where nobody reads. Rows that were kept go the way of all others, and every sum is
 * added up key by key: a state has the same bits whether a row was drafted or not, and so does what
 * is read of it.
 */
public final class DeltaRule {
  public static final String NAME = "deltarule";

  /** Vectors of columns in hand: as many as AVX2 has registers for. */
  private static final int COLUMNS = 2;

  private static final int CACHE_LINE = 64;

  private static final Gpr PART = RBP;
  private static final Gpr STATE = R14;
  private static final Gpr PACKED = R15;
  private static final Gpr HEAD = R13;
  private static final Gpr ROW = R12;
  private static final Gpr KEY = R8;
  private static final Gpr QUERY = R9;
  private static final Gpr VALUE = R10;
  private static final Gpr OUT = R11;

  /** The next row's key. */
  private static final Gpr NEXT = RSI;

  /** Within a pass: what memory is asked for, of the next head's state. */
  private static final Gpr AHEAD = VALUE;

  /** Bytes of a row of the state. */
  private static final Gpr BYTES = RDX;

  /** On the stack; a column is bytes into a row of the state. */
  private static final int COLUMN_AT = 0;

  private static final int UNIT_AT = 8;
  private static final int END_AT = 16;

  /** What is asked for next, and how many bytes of it with each key of a row. */
  private static final int AHEAD_AT = 24;

  private static final int STRIDE_AT = 32;
  private static final int STACK_BYTES = 40;

  private final KernelWriter w;
  private final Vec[] known;
  private final Vec[] change;
  private final Vec[] sums;
  private final Vec s;
  private final Vec one;
  private final Vec two;
  private final Vec three;
  private final Vec decay;
  private final Vec beta;
  private final Sweep sweep;

  private DeltaRule(KernelWriter w) {
    this.w = w;
    var registers = new Registers(w.isa());
    known = registers.take(COLUMNS);
    change = registers.take(COLUMNS);
    sums = registers.take(COLUMNS);
    s = registers.take();
    one = registers.take();
    two = registers.take();
    three = registers.take();
    decay = registers.take();
    beta = registers.take();
    sweep = new Sweep(w, registers, k(1));
  }

  public static void emit(KernelWriter w) {
    new DeltaRule(w).emit();
  }

  /** The bytes of the columns in hand, by the widest vectors there are. */
  static long packedBytes(int keyDim) {
    return (long) keyDim * COLUMNS * CACHE_LINE;
  }

  private void emit() {
    var unit = w.label("unit");
    var next = w.label("next");
    var done = w.label("done");
    w.begin(NAME);
    w.op(SUB, RSP, imm(STACK_BYTES));
    w.op(CMP, FROM, TO);
    w.op(JGE, done);
    w.op(MOV, at(RSP, UNIT_AT), FROM);
    w.op(MOV, at(RSP, END_AT), TO);
    w.op(MOV, PACKED, SCRATCH);
    w.op(MOV, RCX, at(ARGUMENTS, DeltaRuleArguments.VALUE_BYTES));
    sweep.measure(RCX, RBX);
    w.bind(unit);
    w.note("rbp = part, r13 = head, r14 = its state");
    w.op(MOV, RAX, at(RSP, UNIT_AT));
    w.divide(at(ARGUMENTS, DeltaRuleArguments.HEADS));
    w.op(MOV, HEAD, RDX);
    w.op(IMUL, PART, RAX, imm(RecurrentPart.BYTES));
    w.op(ADD, PART, at(ARGUMENTS, DeltaRuleArguments.PARTS));
    w.op(MOV, STATE, at(ARGUMENTS, DeltaRuleArguments.STATE_BYTES));
    w.op(IMUL, STATE, HEAD);
    w.op(ADD, STATE, at(PART, RecurrentPart.STATE));
    w.op(MOV, RCX, at(PART, RecurrentPart.END));
    w.op(SUB, RCX, at(PART, RecurrentPart.BEGIN));
    w.op(JLE, next);
    w.note("the next head's state comes while this one's rows go by");
    w.op(MOV, RAX, at(ARGUMENTS, DeltaRuleArguments.STATE_BYTES));
    w.op(ADD, RAX, STATE);
    w.op(MOV, at(RSP, AHEAD_AT), RAX);
    w.op(MOV, RAX.d(), imm((long) COLUMNS * sweep.vectorBytes()));
    w.op(XOR, RDX.d(), RDX.d());
    w.op(DIV, RCX);
    w.op(MOV, at(RSP, STRIDE_AT), RAX);
    columns();
    keep();
    w.bind(next);
    w.op(INC, at(RSP, UNIT_AT).sized(64));
    w.op(MOV, RAX, at(RSP, UNIT_AT));
    w.op(CMP, RAX, at(RSP, END_AT));
    w.op(JL, unit);
    w.bind(done);
    w.op(ADD, RSP, imm(STACK_BYTES));
    w.end();
  }

  /** All columns of the state: two vectors while there are two, then one, then what is left. */
  private void columns() {
    var several = w.label("several");
    var single = w.label("single");
    var part = w.label("part");
    var done = w.label("columns");
    w.op(MOV, BYTES, at(ARGUMENTS, DeltaRuleArguments.VALUE_BYTES));
    w.op(XOR, RAX.d(), RAX.d());
    w.op(MOV, at(RSP, COLUMN_AT), RAX);
    w.bind(several);
    whole(COLUMNS, single, several);
    w.bind(single);
    whole(1, part, single);
    w.bind(part);
    w.op(CMP, RAX, BYTES);
    w.op(JGE, done);
    rows(1, sweep.part());
    w.bind(done);
  }

  /** So many whole vectors and again, or otherwise where there are no more; rax is the column. */
  private void whole(int count, Label otherwise, Label again) {
    long bytes = (long) count * sweep.vectorBytes();
    w.op(LEA, RCX, at(RAX, bytes));
    w.op(CMP, RCX, BYTES);
    w.op(JG, otherwise);
    rows(count, sweep.whole());
    w.op(MOV, RAX, at(RSP, COLUMN_AT));
    w.op(ADD, RAX, imm(bytes));
    w.op(MOV, at(RSP, COLUMN_AT), RAX);
    w.op(JMP, again);
  }

  /** All rows of the part, the kept ones before the first, over some columns. */
  private void rows(int count, Sweep.Lanes lanes) {
    var row = w.label("row");
    var last = w.label("last");
    var inside = w.label("inside");
    var read = w.label("read");
    var kept = w.label("silent");
    int vector = sweep.vectorBytes();
    w.op(MOV, ROW, at(PART, RecurrentPart.BEGIN));
    key(KEY);
    pack(count, lanes);
    w.bind(row);
    places();
    w.note("r12 = the row behind it");
    w.op(INC, ROW);
    w.op(MOV, NEXT, KEY);
    w.op(CMP, ROW, at(PART, RecurrentPart.END));
    w.op(JGE, last);
    key(NEXT);
    w.bind(last);
    w.note("change = beta (value - decay known)");
    for (int c = 0; c < count; c++) {
      lanes.load(s, at(VALUE, (long) c * vector));
      w.op(VFNMADD231PS, s, known[c], decay);
      w.op(VMULPS, change[c], s, beta);
      w.zero(sums[c]);
      w.zero(known[c]);
    }
    w.op(CMP, ROW, at(PART, RecurrentPart.DRAFT));
    w.op(JNE, inside);
    w.note("the last firm row also writes the state");
    pass(count, lanes, true);
    w.op(JMP, read);
    w.bind(inside);
    pass(count, lanes, false);
    w.bind(read);
    w.note("nobody reads of a kept row");
    w.op(CMP, ROW, at(PART, RecurrentPart.FIRST));
    w.op(JLE, kept);
    for (int c = 0; c < count; c++) lanes.store(at(OUT, (long) c * vector), sums[c]);
    w.bind(kept);
    w.op(MOV, KEY, NEXT);
    w.op(CMP, ROW, at(PART, RecurrentPart.END));
    w.op(JL, row);
  }

  /** Packs the columns, and what they know of the first key. */
  private void pack(int count, Sweep.Lanes lanes) {
    int vector = sweep.vectorBytes();
    w.op(MOV, RAX, at(RSP, COLUMN_AT));
    w.op(ADD, RAX, STATE);
    for (int c = 0; c < count; c++) w.zero(known[c]);
    overKeys(
        (long) count * vector,
        () -> {
          w.op(VBROADCASTSS, one, at(KEY, RCX, 1));
          for (int c = 0; c < count; c++) {
            lanes.load(s, at(RAX, (long) c * vector));
            w.op(VMOVUPS, at(RBX, (long) c * vector), s);
            w.op(VFMADD231PS, known[c], s, one);
          }
          w.op(ADD, RAX, BYTES);
        });
  }

  /** {@code state = decay state + key change}, and what the query and the next key read of it. */
  private void pass(int count, Sweep.Lanes lanes, boolean toState) {
    int vector = sweep.vectorBytes();
    w.op(MOV, AHEAD, at(RSP, AHEAD_AT));
    if (toState) {
      w.op(MOV, RAX, at(RSP, COLUMN_AT));
      w.op(ADD, RAX, STATE);
    }
    overKeys(
        (long) count * vector,
        () -> {
          w.op(VBROADCASTSS, one, at(KEY, RCX, 1));
          w.op(VBROADCASTSS, two, at(QUERY, RCX, 1));
          w.op(VBROADCASTSS, three, at(NEXT, RCX, 1));
          for (int c = 0; c < count; c++) {
            w.op(VMULPS, s, decay, at(RBX, (long) c * vector));
            w.op(VFMADD231PS, s, change[c], one);
            w.op(VMOVUPS, at(RBX, (long) c * vector), s);
            if (toState) lanes.store(at(RAX, (long) c * vector), s);
            w.op(VFMADD231PS, sums[c], s, two);
            w.op(VFMADD231PS, known[c], s, three);
          }
          if (toState) w.op(ADD, RAX, BYTES);
          for (long line = 0; line < (long) count * vector; line += CACHE_LINE) {
            w.op(PREFETCHT1, at(AHEAD, line));
          }
          w.op(ADD, AHEAD, at(RSP, STRIDE_AT));
        });
    w.op(MOV, at(RSP, AHEAD_AT), AHEAD);
  }

  /** Runs the body for each key: rbx is its packed columns, rcx bytes into a key or a query. */
  private void overKeys(long packed, Runnable body) {
    var key = w.label("key");
    w.op(MOV, RBX, PACKED);
    w.op(XOR, RCX.d(), RCX.d());
    w.loop(key);
    body.run();
    w.op(ADD, RBX, imm(packed));
    w.op(ADD, RCX, imm(Float.BYTES));
    w.op(CMP, RCX, at(ARGUMENTS, DeltaRuleArguments.KEY_BYTES));
    w.op(JL, key);
  }

  /** {@code to = } the key of the row; changes rax and rbx. */
  private void key(Gpr to) {
    var kept = w.label("keptkey");
    var done = w.label("key");
    w.op(CMP, ROW, at(PART, RecurrentPart.FIRST));
    w.op(JL, kept);
    w.op(MOV, RBX, at(ARGUMENTS, DeltaRuleArguments.KEY_HEADS));
    w.op(MOVSXD, RBX, at(RBX, HEAD, 4).sized(32));
    w.place(to, DeltaRuleArguments.K, ROW, RBX);
    w.op(JMP, done);
    w.bind(kept);
    keptHead(to, RecurrentPart.BEGIN);
    w.bind(done);
  }

  /** What the row has beside its key, at the columns in hand; changes rax and rbx. */
  private void places() {
    var kept = w.label("kept");
    var ready = w.label("ready");
    w.op(CMP, ROW, at(PART, RecurrentPart.FIRST));
    w.op(JL, kept);
    w.op(MOV, RBX, at(ARGUMENTS, DeltaRuleArguments.KEY_HEADS));
    w.op(MOVSXD, RBX, at(RBX, HEAD, 4).sized(32));
    w.place(QUERY, DeltaRuleArguments.Q, ROW, RBX);
    w.place(OUT, DeltaRuleArguments.TO, ROW, HEAD);
    w.op(ADD, OUT, at(RSP, COLUMN_AT));
    factors();
    w.op(JMP, ready);
    w.bind(kept);
    w.note("nobody reads of it, so any query does");
    w.op(MOV, QUERY, KEY);
    w.op(MOV, VALUE, KEY);
    w.op(ADD, VALUE, at(ARGUMENTS, DeltaRuleArguments.KEY_BYTES));
    w.op(VBROADCASTSS, decay, at(VALUE, BYTES, 1));
    w.op(VBROADCASTSS, beta, at(VALUE, BYTES, 1, Float.BYTES));
    w.bind(ready);
    w.op(ADD, VALUE, at(RSP, COLUMN_AT));
  }

  /** The value, decay and beta of a row of the step. */
  private void factors() {
    w.place(VALUE, DeltaRuleArguments.V, ROW, HEAD);
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

  /** Keeps what rows of a draft go by, once those that were kept there have been read. */
  private void keep() {
    var row = w.label("keep");
    var none = w.label("none");
    w.op(MOV, ROW, at(PART, RecurrentPart.DRAFT));
    w.op(CMP, ROW, at(PART, RecurrentPart.END));
    w.op(JGE, none);
    w.bind(row);
    key(KEY);
    factors();
    keptHead(RBX, RecurrentPart.DRAFT);
    copy(KEY, DeltaRuleArguments.KEY_BYTES);
    copy(VALUE, DeltaRuleArguments.VALUE_BYTES);
    w.op(VMOVSS, at(RBX), decay.x());
    w.op(VMOVSS, at(RBX, Float.BYTES), beta.x());
    w.op(INC, ROW);
    w.op(CMP, ROW, at(PART, RecurrentPart.END));
    w.op(JL, row);
    w.bind(none);
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
}
