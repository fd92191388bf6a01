package weft.cpu.kernel.attention;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.attention.ManyLayout.BASE;
import static weft.cpu.kernel.attention.ManyLayout.TILE;
import static weft.cpu.kernel.attention.ManyLayout.kept;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Label;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;

/**
 * The rows of a block on their way in and out: queries side by side with what each sees, and sums
 * as results.
 */
public final class ManyRows {
  private static final int PART = AttendArguments.PART;

  /** While rows and their heads are gone through. */
  private static final Gpr ROW_PLACE = R8;

  private static final Gpr HEADS_LEFT = R10;
  private static final Gpr LEFT = R11;
  private static final Gpr PLACE = R12;
  static final Gpr STATE = R13;
  private static final Gpr LANES_LEFT = R14;
  private static final Gpr POSITION = RBP;

  /** How many rows ahead, and the lines of the cache that a head of 64 has. */
  private static final int AHEAD = 8;

  private static final int HEAD_LINES = 4;

  /** Where queries go and sums come from. */
  static final Gpr OTHER = R9;

  /** Where a vector of the head at hand is. */
  static final Gpr HERE = RBX;

  /** How the queries of the block are laid down, each by itself. */
  sealed interface Queries permits FloatQueries, WordQueries {
    void copy(ManyRows rows);
  }

  private final KernelWriter w;
  private final Vec x;
  private final Vec factor;
  private final int vectorBytes;
  private final Queries queries;

  ManyRows(KernelWriter w, Queries queries) {
    this.w = w;
    this.queries = queries;
    var registers = new Registers(w.isa());
    x = registers.take();
    factor = registers.take();
    vectorBytes = x.bytes();
  }

  /** All tiles begin: their queries, what they see, sums of zero. */
  void begin() {
    var query = w.label("query");
    var sums = w.label("sums");
    first(AttendArguments.QUERIES, AttendArguments.QUERY_ROW_BYTES, AttendArguments.KEY_DIM);
    w.op(MOV, LEFT, kept(ManyLayout.TILES));
    w.op(IMUL, LEFT, LEFT, imm(TILE));
    w.op(MOV, POSITION, kept(ManyLayout.ROW));
    w.op(ADD, POSITION, at(ARGUMENTS, PART + KvPart.POSITION));
    w.op(MOV, OTHER, kept(ManyLayout.TILE_QUERIES));
    w.bind(query);
    state();
    ask(AttendArguments.QUERY_ROW_BYTES);
    queries.copy(this);
    w.note("the last query stands in for those that only fill the tile");
    next(AttendArguments.QUERY_ROW_BYTES, AttendArguments.KEY_DIM, true);
    lane();
    w.op(DEC, LEFT);
    w.op(JNE, query);

    w.note("rbx = the sums, r9 = behind them");
    w.op(MOV, RBX, kept(ManyLayout.TILE_SUMS));
    w.op(MOV, OTHER, at(ARGUMENTS, AttendArguments.VALUE_DIM));
    w.op(IMUL, OTHER, kept(ManyLayout.TILES));
    w.op(IMUL, OTHER, OTHER, imm(4L * TILE));
    w.op(ADD, OTHER, RBX);
    w.zero(x);
    w.loop(sums);
    w.op(VMOVUPS, at(RBX), x);
    w.op(ADD, RBX, imm(vectorBytes));
    w.op(CMP, RBX, OTHER);
    w.op(JB, sums);
  }

  /** Sums divided by the sums of their weights are the results. */
  void end() {
    var query = w.label("result");
    first(AttendArguments.OUT, AttendArguments.OUT_BYTES, AttendArguments.VALUE_DIM);
    w.op(MOV, LEFT, kept(ManyLayout.QUERIES));
    w.op(MOV, OTHER, kept(ManyLayout.TILE_SUMS));
    w.bind(query);
    w.op(VBROADCASTSS, factor, at(w.assembler().floats("one", 1)));
    w.op(VBROADCASTSS, x, at(STATE, ManyLayout.STATE_TOTAL));
    w.op(VDIVPS, factor, factor, x);
    ask(AttendArguments.OUT_BYTES);
    copy(
        AttendArguments.VALUE_DIM,
        () -> {
          w.op(VMULPS, x, factor, at(OTHER));
          w.op(VMOVUPS, at(RBX), x);
          w.op(ADD, OTHER, imm(vectorBytes));
        });
    next(AttendArguments.OUT_BYTES, AttendArguments.VALUE_DIM, false);
    lane();
    w.op(DEC, LEFT);
    w.op(JNE, query);
  }

  /**
   * Asks for a head of a row to come: from one row's to the next one's are pages, which no stream
   * tells the processor. Changes rax and rbx.
   */
  private void ask(int rowBytes) {
    w.op(MOV, RAX, at(ARGUMENTS, rowBytes));
    w.op(LEA, RBX, at(PLACE, RAX, AHEAD));
    for (int line = 0; line < HEAD_LINES; line++) w.op(PREFETCHT0, at(RBX, 64L * line));
  }

  /** The place of the block's first row and head in an argument, and the first state. */
  private void first(int base, int rowBytes, int dim) {
    w.op(MOV, ROW_PLACE, at(ARGUMENTS, rowBytes));
    w.op(IMUL, ROW_PLACE, kept(ManyLayout.ROW));
    w.op(ADD, ROW_PLACE, at(ARGUMENTS, base));
    w.op(MOV, RAX, at(ARGUMENTS, dim));
    w.op(IMUL, RAX, kept(ManyLayout.HEAD));
    w.op(LEA, ROW_PLACE, at(ROW_PLACE, RAX, 4));
    w.op(MOV, PLACE, ROW_PLACE);
    w.op(MOV, HEADS_LEFT, kept(ManyLayout.HEADS));
    w.op(LEA, STATE, at(BASE, ManyLayout.STATES));
    w.op(MOV, LANES_LEFT.d(), imm(TILE));
  }

  /** On to the next head, or to the next row's first where one is left. */
  private void next(int rowBytes, int dim, boolean stays) {
    var ready = w.label("ready");
    var row = w.label("row");
    w.op(DEC, HEADS_LEFT);
    w.op(JE, row);
    w.op(MOV, RAX, at(ARGUMENTS, dim));
    w.op(LEA, PLACE, at(PLACE, RAX, 4));
    w.op(JMP, ready);
    w.bind(row);
    if (stays) {
      w.op(INC, POSITION);
      stay(ready);
    }
    w.op(ADD, ROW_PLACE, at(ARGUMENTS, rowBytes));
    w.op(MOV, PLACE, ROW_PLACE);
    w.op(MOV, HEADS_LEFT, kept(ManyLayout.HEADS));
    w.bind(ready);
  }

  /** Behind the last row: the same query again. */
  private void stay(Label ready) {
    var goes = w.label("goes");
    w.op(MOV, RAX, kept(ManyLayout.ROWS_END));
    w.op(CMP, POSITION, RAX);
    w.op(JL, goes);
    w.op(DEC, POSITION);
    w.op(MOV, HEADS_LEFT.d(), imm(1));
    w.op(JMP, ready);
    w.bind(goes);
  }

  /** What the query of a lane has seen, nothing, and will see. */
  private void state() {
    w.op(
        MOV,
        at(STATE, ManyLayout.STATE_GREATEST).sized(32),
        imm(Float.floatToRawIntBits(-Float.MAX_VALUE)));
    w.op(MOV, at(STATE, ManyLayout.STATE_TOTAL).sized(32), imm(0));
    w.op(MOV, RAX, at(ARGUMENTS, PART + KvPart.REACH));
    w.op(CMP, RAX, POSITION);
    w.op(CMOVL, RAX, POSITION);
    w.op(MOV, at(STATE, ManyLayout.STATE_LAST), RAX.d());
    w.op(XOR, RAX.d(), RAX.d());
    w.op(LEA, RBX, at(POSITION, 1));
    w.op(SUB, RBX, at(ARGUMENTS, PART + KvPart.WINDOW));
    w.op(CMOVL, RBX, RAX);
    w.op(MOV, at(STATE, ManyLayout.STATE_FIRST), RBX.d());
  }

  private void lane() {
    var same = w.label("tile");
    w.op(ADD, STATE, imm(Float.BYTES));
    w.op(DEC, LANES_LEFT);
    w.op(JNE, same);
    w.op(ADD, STATE, imm(ManyLayout.STATE_BYTES - TILE * Float.BYTES));
    w.op(MOV, LANES_LEFT.d(), imm(TILE));
    w.bind(same);
  }

  /** Goes with {@link #HERE} through the vectors of the query at hand. */
  void overQuery(Runnable vector) {
    copy(AttendArguments.KEY_DIM, vector);
  }

  /** Goes with rbx through the vectors of the head at hand. */
  private void copy(int dim, Runnable vector) {
    var each = w.label("vector");
    w.op(MOV, RBX, PLACE);
    w.op(MOV, RAX, at(ARGUMENTS, dim));
    w.loop(each);
    vector.run();
    w.op(ADD, RBX, imm(vectorBytes));
    w.op(SUB, RAX, imm(vectorBytes / Float.BYTES));
    w.op(JG, each);
  }
}
