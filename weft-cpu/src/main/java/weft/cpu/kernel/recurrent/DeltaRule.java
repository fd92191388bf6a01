package weft.cpu.kernel.recurrent;

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

/**
 * The gated delta rule a row at a time. The columns of a state know nothing of each other, so four
 * vectors of them go through both passes while they are in the first-level cache: what the key
 * reads, then the correction and what the query reads.
 */
public final class DeltaRule {
  public static final String NAME = "deltarule";

  /** Vectors of columns in hand: as many sums as one fused multiply-add takes cycles. */
  private static final int COLUMNS = 4;

  private static final Gpr UNIT = FROM;
  private static final Gpr END = R15;
  private static final Gpr STATE = R14;
  private static final Gpr HEAD = R13;
  private static final Gpr ROW = R12;
  private static final Gpr ROWS_LEFT = RBP;
  private static final Gpr KEY = R8;
  private static final Gpr QUERY = R9;
  private static final Gpr VALUE = R10;
  private static final Gpr OUT = R11;

  /** Bytes of a row of the state, and bytes into it. */
  private static final Gpr BYTES = RDX;

  private static final Gpr COLUMN = RAX;

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
    w.op(CMP, FROM, TO);
    w.op(JGE, done);
    w.op(MOV, END, TO);
    w.op(MOV, RCX, at(ARGUMENTS, DeltaRuleArguments.VALUE_BYTES));
    sweep.measure(RCX, RBX);
    w.bind(unit);
    w.note("r13 = head, r14 = its state, r12 = row, rbp = rows of the part that are left");
    w.op(MOV, RAX, UNIT);
    w.divide(at(ARGUMENTS, DeltaRuleArguments.HEADS));
    w.op(MOV, HEAD, RDX);
    w.op(IMUL, RBX, RAX, imm(RecurrentPart.BYTES));
    w.op(ADD, RBX, at(ARGUMENTS, DeltaRuleArguments.PARTS));
    w.op(MOV, STATE, at(ARGUMENTS, DeltaRuleArguments.STATE_BYTES));
    w.op(IMUL, STATE, HEAD);
    w.op(ADD, STATE, at(RBX, RecurrentPart.STATE));
    w.op(MOV, ROW, at(RBX, RecurrentPart.FIRST));
    w.op(MOV, ROWS_LEFT, at(RBX, RecurrentPart.ROWS));
    w.op(TEST, ROWS_LEFT, ROWS_LEFT);
    w.op(JE, next);
    w.bind(row);
    places();
    columns();
    w.op(INC, ROW);
    w.op(DEC, ROWS_LEFT);
    w.op(JNE, row);
    w.bind(next);
    w.op(INC, UNIT);
    w.op(CMP, UNIT, END);
    w.op(JL, unit);
    w.bind(done);
    w.end();
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
            lanes.store(at(RBX, (long) c * vector), s);
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
