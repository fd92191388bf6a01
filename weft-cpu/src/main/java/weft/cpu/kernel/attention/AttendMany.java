package weft.cpu.kernel.attention;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.kernel.attention.ManyLayout.BASE;
import static weft.cpu.kernel.attention.ManyLayout.TILE;
import static weft.cpu.kernel.attention.ManyLayout.kept;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.emit.KernelWriter.FROM;
import static weft.cpu.kernel.emit.KernelWriter.SCRATCH;
import static weft.cpu.kernel.emit.KernelWriter.TO;

import weft.cpu.kernel.emit.KernelWriter;

/**
 * Attention of many rows of a sequence. A unit of work is a block of rows with the query heads that
 * share a head of keys and values: {@link KvPanel} unpacks 64 positions at a time, and all queries
 * of the block meet them six at a time, in {@link ScoreTile} and {@link ValueTile}, before the next
 * positions come. What is stored with less than a float meets as words: {@link KvWords}, {@link
 * WordScoreTile}, {@link WordValueTile}.
 */
public final class AttendMany {
  private static final int PART = AttendArguments.PART;

  private final KernelWriter w;
  private final ManyRows rows;
  private final Pieces pieces;

  /** What is done with a panel, and what a number of a query takes. */
  private record Pieces(Runnable panel, Runnable scores, Runnable values, int queryBytes) {
    static Pieces of(KernelWriter w, KvKind kind) {
      return kind.meetsAsWords()
          ? new Pieces(
              new KvWords(w, kind)::emit,
              new WordScoreTile(w)::emit,
              new WordValueTile(w)::emit,
              Short.BYTES)
          : new Pieces(
              new KvPanel(w, kind)::emit,
              new ScoreTile(w)::emit,
              new ValueTile(w)::emit,
              Float.BYTES);
    }
  }

  private AttendMany(KernelWriter w, KvKind kind) {
    this.w = w;
    rows = new ManyRows(w, kind.meetsAsWords() ? new WordQueries(w) : new FloatQueries(w));
    pieces = Pieces.of(w, kind);
  }

  public static String name(KvKind kind) {
    return "attendmany." + kind;
  }

  public static void emit(KernelWriter w, KvKind kind) {
    new AttendMany(w, kind).emit(name(kind));
  }

  private void emit(String name) {
    var unit = w.label("unit");
    var done = w.label("done");
    w.begin(name);
    w.op(CMP, FROM, TO);
    w.op(JGE, done);
    w.op(MOV, BASE, SCRATCH);
    w.op(MOV, kept(ManyLayout.UNIT), FROM);
    w.op(MOV, kept(ManyLayout.END), TO);
    places();
    w.bind(unit);
    block();
    rows.begin();
    positions();
    rows.end();
    w.op(MOV, RAX, kept(ManyLayout.UNIT));
    w.op(INC, RAX);
    w.op(MOV, kept(ManyLayout.UNIT), RAX);
    w.op(CMP, RAX, kept(ManyLayout.END));
    w.op(JL, unit);
    w.bind(done);
    w.end();
  }

  /** Where the parts of the scratch are that follow the keys. */
  private void places() {
    w.op(MOV, RAX, at(ARGUMENTS, AttendArguments.KEY_DIM));
    w.op(MOV, RBX, at(ARGUMENTS, AttendArguments.VALUE_DIM));
    w.op(IMUL, RCX, RAX, imm(4L * ManyLayout.POSITIONS));
    w.op(LEA, RCX, at(BASE, RCX, 1, ManyLayout.KEY_PANEL));
    w.op(MOV, kept(ManyLayout.VALUE_PANEL), RCX);
    w.op(IMUL, RBX, RBX, imm(4L * ManyLayout.POSITIONS));
    w.op(ADD, RCX, RBX);
    w.op(MOV, kept(ManyLayout.TILE_QUERIES), RCX);
    w.op(IMUL, RAX, RAX, imm(4L * ManyLayout.MOST_QUERIES));
    w.op(ADD, RCX, RAX);
    w.op(MOV, kept(ManyLayout.TILE_SUMS), RCX);
  }

  /** Which rows, heads and positions the unit has. */
  private void block() {
    w.op(MOV, RAX, kept(ManyLayout.UNIT));
    AttendShare.emit(w, AttendArguments.BLOCKS);
    w.op(MOV, kept(ManyLayout.HEAD), AttendShare.HEAD);
    w.op(MOV, kept(ManyLayout.HEADS), AttendShare.HEADS);
    inPage(KvPart.KEYS_AT, KvPart.KEY_HEAD_BYTES, ManyLayout.KEYS);
    inPage(KvPart.VALUES_AT, KvPart.VALUE_HEAD_BYTES, ManyLayout.VALUES);
    w.note("r8 = first row, rcx = rows: all of a block's, or those that are left");
    w.op(MOV, RCX, at(ARGUMENTS, AttendArguments.BLOCK_ROWS));
    w.op(IMUL, R8, RCX);
    w.op(MOV, kept(ManyLayout.ROW), R8);
    w.op(MOV, RAX, at(ARGUMENTS, AttendArguments.ROW_COUNT));
    w.op(SUB, RAX, R8);
    w.op(CMP, RCX, RAX);
    w.op(CMOVG, RCX, RAX);
    w.op(MOV, RAX, RCX);
    w.op(IMUL, RAX, AttendShare.HEADS);
    w.op(MOV, kept(ManyLayout.QUERIES), RAX);
    w.op(ADD, RAX, imm(TILE - 1));
    w.op(XOR, RDX.d(), RDX.d());
    w.op(MOV, R9.d(), imm(TILE));
    w.op(DIV, R9);
    w.op(MOV, kept(ManyLayout.TILES), RAX);
    w.note("the first row begins to see the latest window's, the last sees itself or all");
    w.op(ADD, R8, at(ARGUMENTS, PART + KvPart.POSITION));
    w.op(ADD, RCX, R8);
    w.op(MOV, kept(ManyLayout.ROWS_END), RCX);
    w.op(MOV, RAX, at(ARGUMENTS, PART + KvPart.REACH));
    w.op(INC, RAX);
    w.op(CMP, RCX, RAX);
    w.op(CMOVL, RCX, RAX);
    w.op(MOV, kept(ManyLayout.POSITIONS_END), RCX);
    w.note("a panel is the same in whichever block, so that its scales are");
    w.op(MOV, RCX, at(ARGUMENTS, AttendArguments.ROW_COUNT));
    w.op(ADD, RCX, at(ARGUMENTS, PART + KvPart.POSITION));
    w.op(CMP, RCX, RAX);
    w.op(CMOVL, RCX, RAX);
    w.op(MOV, kept(ManyLayout.PANELS_END), RCX);
    w.op(XOR, RAX.d(), RAX.d());
    w.op(INC, R8);
    w.op(SUB, R8, at(ARGUMENTS, PART + KvPart.WINDOW));
    w.op(CMOVL, R8, RAX);
    w.op(MOV, kept(ManyLayout.POSITION), R8);
  }

  private void inPage(int from, int headBytes, int to) {
    w.op(MOV, RAX, at(ARGUMENTS, PART + headBytes));
    w.op(IMUL, RAX, AttendShare.KV_HEAD);
    w.op(ADD, RAX, at(ARGUMENTS, PART + from));
    w.op(MOV, kept(to), RAX);
  }

  /** Panel after panel, each of one page. */
  private void positions() {
    var next = w.label("panel");
    w.bind(next);
    w.op(MOV, RAX, kept(ManyLayout.POSITION));
    w.op(MOV, RCX, kept(ManyLayout.PANELS_END));
    w.op(SUB, RCX, RAX);
    w.op(MOV, KvPanel.PLACE, RAX);
    w.op(AND, KvPanel.PLACE, imm(KvPart.POSITIONS - 1));
    w.op(SHR, RAX, imm(KvPart.SHIFT));
    w.op(MOV, KvPanel.PAGE, at(ARGUMENTS, PART + KvPart.PAGES));
    w.op(MOV, KvPanel.PAGE, at(KvPanel.PAGE, RAX, 8));
    w.op(MOV, RAX.d(), imm(KvPart.POSITIONS));
    w.op(SUB, RAX, KvPanel.PLACE);
    w.op(CMP, RCX, RAX);
    w.op(CMOVG, RCX, RAX);
    w.op(MOV, kept(ManyLayout.COUNT), RCX);
    pieces.panel.run();
    tiles();
    w.op(MOV, RAX, kept(ManyLayout.POSITION));
    w.op(ADD, RAX, kept(ManyLayout.COUNT));
    w.op(MOV, kept(ManyLayout.POSITION), RAX);
    w.op(CMP, RAX, kept(ManyLayout.POSITIONS_END));
    w.op(JL, next);
  }

  private void tiles() {
    var tile = w.label("tile");
    var next = w.label("next");
    w.op(LEA, ScoreTile.STATE, at(BASE, ManyLayout.STATES));
    w.op(MOV, ScoreTile.QUERIES, kept(ManyLayout.TILE_QUERIES));
    w.op(MOV, ValueTile.SUMS, kept(ManyLayout.TILE_SUMS));
    w.op(MOV, RAX, kept(ManyLayout.TILES));
    w.op(MOV, kept(ManyLayout.TILES_LEFT), RAX);
    w.bind(tile);
    w.note("rcx = positions of the panel up to the last query's own; none of them, no work");
    w.op(MOV, RDX, kept(ManyLayout.POSITION));
    w.op(MOV, RCX.d(), at(ScoreTile.STATE, ManyLayout.STATE_LAST + 4 * (TILE - 1)));
    w.op(INC, RCX);
    w.op(SUB, RCX, RDX);
    w.op(JLE, next);
    w.op(MOV, RAX, kept(ManyLayout.COUNT));
    w.op(CMP, RCX, RAX);
    w.op(CMOVG, RCX, RAX);
    w.op(MOV, kept(ManyLayout.SEEN), RCX);
    w.note("nor where the first query's window begins behind the panel");
    w.op(ADD, RAX, RDX);
    w.op(MOV, RCX.d(), at(ScoreTile.STATE, ManyLayout.STATE_FIRST));
    w.op(CMP, RCX, RAX);
    w.op(JGE, next);
    pieces.scores.run();
    pieces.values.run();
    w.bind(next);
    w.op(ADD, ScoreTile.STATE, imm(ManyLayout.STATE_BYTES));
    w.op(MOV, RAX, at(ARGUMENTS, AttendArguments.KEY_DIM));
    w.op(IMUL, RAX, RAX, imm((long) pieces.queryBytes * TILE));
    w.op(ADD, ScoreTile.QUERIES, RAX);
    w.op(MOV, RAX, at(ARGUMENTS, AttendArguments.VALUE_DIM));
    w.op(IMUL, RAX, RAX, imm(4L * TILE));
    w.op(ADD, ValueTile.SUMS, RAX);
    w.op(DEC, kept(ManyLayout.TILES_LEFT));
    w.op(JNE, tile);
  }
}
