package weft.cpu.kernel;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.kernel.BlockLayout.BASE;
import static weft.cpu.kernel.BlockLayout.TILE;
import static weft.cpu.kernel.BlockLayout.kept;
import static weft.cpu.kernel.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.KernelWriter.FROM;
import static weft.cpu.kernel.KernelWriter.SCRATCH;
import static weft.cpu.kernel.KernelWriter.TO;

/**
 * Attention of many rows of a sequence. A unit of work is a block of rows with the query heads that
 * share a head of keys and values: {@link KvPanel} unpacks 64 positions at a time, and all queries
 * of the block meet them six at a time, in {@link ScoreTile} and {@link ValueTile}, before the next
 * positions come.
 */
final class AttendBlock {
  private static final int PART = AttendArguments.PART;

  private final KernelWriter w;
  private final KvPanel panel;
  private final BlockRows rows;
  private final ScoreTile scores;
  private final ValueTile values;

  private AttendBlock(KernelWriter w, KvKind kind) {
    this.w = w;
    panel = new KvPanel(w, kind);
    rows = new BlockRows(w);
    scores = new ScoreTile(w);
    values = new ValueTile(w);
  }

  static String name(KvKind kind) {
    return "attendblock." + kind;
  }

  static void emit(KernelWriter w, KvKind kind) {
    new AttendBlock(w, kind).emit(name(kind));
  }

  private void emit(String name) {
    var unit = w.label("unit");
    var done = w.label("done");
    w.begin(name);
    w.op(CMP, FROM, TO);
    w.op(JGE, done);
    w.op(MOV, BASE, SCRATCH);
    w.op(MOV, kept(BlockLayout.UNIT), FROM);
    w.op(MOV, kept(BlockLayout.END), TO);
    places();
    w.bind(unit);
    block();
    rows.begin();
    positions();
    rows.end();
    w.op(MOV, RAX, kept(BlockLayout.UNIT));
    w.op(INC, RAX);
    w.op(MOV, kept(BlockLayout.UNIT), RAX);
    w.op(CMP, RAX, kept(BlockLayout.END));
    w.op(JL, unit);
    w.bind(done);
    w.end();
  }

  /** Where the parts of the scratch are that follow the keys. */
  private void places() {
    w.op(MOV, RAX, at(ARGUMENTS, AttendArguments.KEY_DIM));
    w.op(MOV, RBX, at(ARGUMENTS, AttendArguments.VALUE_DIM));
    w.op(IMUL, RCX, RAX, imm(4L * BlockLayout.POSITIONS));
    w.op(LEA, RCX, at(BASE, RCX, 1, BlockLayout.KEY_PANEL));
    w.op(MOV, kept(BlockLayout.VALUE_PANEL), RCX);
    w.op(IMUL, RBX, RBX, imm(4L * BlockLayout.POSITIONS));
    w.op(ADD, RCX, RBX);
    w.op(MOV, kept(BlockLayout.TILE_QUERIES), RCX);
    w.op(IMUL, RAX, RAX, imm(4L * BlockLayout.MOST_QUERIES));
    w.op(ADD, RCX, RAX);
    w.op(MOV, kept(BlockLayout.TILE_SUMS), RCX);
  }

  /** Which rows, heads and positions the unit has. */
  private void block() {
    w.op(MOV, RAX, kept(BlockLayout.UNIT));
    AttendShare.emit(w, AttendArguments.BLOCKS);
    w.op(MOV, kept(BlockLayout.HEAD), AttendShare.HEAD);
    w.op(MOV, kept(BlockLayout.HEADS), AttendShare.HEADS);
    memory(KvPart.KEYS, KvPart.KEY_HEAD_BYTES, BlockLayout.KEYS);
    memory(KvPart.VALUES, KvPart.VALUE_HEAD_BYTES, BlockLayout.VALUES);
    w.note("r8 = first row, rcx = rows: all of a block's, or those that are left");
    w.op(MOV, RCX, at(ARGUMENTS, AttendArguments.BLOCK_ROWS));
    w.op(IMUL, R8, RCX);
    w.op(MOV, kept(BlockLayout.ROW), R8);
    w.op(MOV, RAX, at(ARGUMENTS, AttendArguments.ROW_COUNT));
    w.op(SUB, RAX, R8);
    w.op(CMP, RCX, RAX);
    w.op(CMOVG, RCX, RAX);
    w.op(MOV, RAX, RCX);
    w.op(IMUL, RAX, AttendShare.HEADS);
    w.op(MOV, kept(BlockLayout.QUERIES), RAX);
    w.op(ADD, RAX, imm(TILE - 1));
    w.op(XOR, RDX.d(), RDX.d());
    w.op(MOV, R9.d(), imm(TILE));
    w.op(DIV, R9);
    w.op(MOV, kept(BlockLayout.TILES), RAX);
    w.note("the first row begins to see the latest window's, the last sees itself");
    w.op(ADD, R8, at(ARGUMENTS, PART + KvPart.POSITION));
    w.op(ADD, RCX, R8);
    w.op(MOV, kept(BlockLayout.POSITIONS_END), RCX);
    w.op(XOR, RAX.d(), RAX.d());
    w.op(INC, R8);
    w.op(SUB, R8, at(ARGUMENTS, PART + KvPart.WINDOW));
    w.op(CMOVL, R8, RAX);
    w.op(MOV, kept(BlockLayout.POSITION), R8);
  }

  private void memory(int from, int headBytes, int to) {
    w.op(MOV, RAX, at(ARGUMENTS, PART + headBytes));
    w.op(IMUL, RAX, AttendShare.KV_HEAD);
    w.op(ADD, RAX, at(ARGUMENTS, PART + from));
    w.op(MOV, kept(to), RAX);
  }

  /** Panel after panel; none goes over the end of a ring. */
  private void positions() {
    var next = w.label("panel");
    w.bind(next);
    w.op(MOV, RAX, kept(BlockLayout.POSITION));
    w.op(MOV, RCX, kept(BlockLayout.POSITIONS_END));
    w.op(SUB, RCX, RAX);
    w.divide(at(ARGUMENTS, PART + KvPart.CAPACITY));
    w.op(MOV, RAX, at(ARGUMENTS, PART + KvPart.CAPACITY));
    w.op(SUB, RAX, RDX);
    w.op(CMP, RCX, RAX);
    w.op(CMOVG, RCX, RAX);
    w.op(MOV, RAX.d(), imm(BlockLayout.POSITIONS));
    w.op(CMP, RCX, RAX);
    w.op(CMOVG, RCX, RAX);
    w.op(MOV, kept(BlockLayout.COUNT), RCX);
    panel.emit();
    tiles();
    w.op(MOV, RAX, kept(BlockLayout.POSITION));
    w.op(ADD, RAX, kept(BlockLayout.COUNT));
    w.op(MOV, kept(BlockLayout.POSITION), RAX);
    w.op(CMP, RAX, kept(BlockLayout.POSITIONS_END));
    w.op(JL, next);
  }

  private void tiles() {
    var tile = w.label("tile");
    var next = w.label("next");
    w.op(LEA, ScoreTile.STATE, at(BASE, BlockLayout.STATES));
    w.op(MOV, ScoreTile.QUERIES, kept(BlockLayout.TILE_QUERIES));
    w.op(MOV, ValueTile.SUMS, kept(BlockLayout.TILE_SUMS));
    w.op(MOV, RAX, kept(BlockLayout.TILES));
    w.op(MOV, kept(BlockLayout.TILES_LEFT), RAX);
    w.bind(tile);
    w.note("rcx = positions of the panel up to the last query's own; none of them, no work");
    w.op(MOV, RDX, kept(BlockLayout.POSITION));
    w.op(MOV, RCX.d(), at(ScoreTile.STATE, BlockLayout.STATE_LAST + 4 * (TILE - 1)));
    w.op(INC, RCX);
    w.op(SUB, RCX, RDX);
    w.op(JLE, next);
    w.op(MOV, RAX, kept(BlockLayout.COUNT));
    w.op(CMP, RCX, RAX);
    w.op(CMOVG, RCX, RAX);
    w.op(MOV, kept(BlockLayout.SEEN), RCX);
    w.note("nor where the first query's window begins behind the panel");
    w.op(ADD, RAX, RDX);
    w.op(MOV, RCX.d(), at(ScoreTile.STATE, BlockLayout.STATE_FIRST));
    w.op(CMP, RCX, RAX);
    w.op(JGE, next);
    scores.emit();
    values.emit();
    w.bind(next);
    w.op(ADD, ScoreTile.STATE, imm(BlockLayout.STATE_BYTES));
    w.op(MOV, RAX, at(ARGUMENTS, AttendArguments.KEY_DIM));
    w.op(IMUL, RAX, RAX, imm(4L * TILE));
    w.op(ADD, ScoreTile.QUERIES, RAX);
    w.op(MOV, RAX, at(ARGUMENTS, AttendArguments.VALUE_DIM));
    w.op(IMUL, RAX, RAX, imm(4L * TILE));
    w.op(ADD, ValueTile.SUMS, RAX);
    w.op(DEC, kept(BlockLayout.TILES_LEFT));
    w.op(JNE, tile);
  }
}
