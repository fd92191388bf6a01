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

import java.util.Optional;
import weft.cpu.asm.Label;
import weft.cpu.kernel.emit.KernelWriter;

/**
 * Attention of many rows of a sequence. A unit of work is a block of rows with the query heads that
 * share a head of keys and values: {@link KvPanel} unpacks 64 positions at a time, and all queries
 * of the block meet them six at a time, in {@link ScoreTile} and {@link ValueTile}, before the next
 * positions come. What is stored with less than a float meets as words: {@link KvWords}, {@link
 * WordScoreTile}, {@link WordValueTile}, and {@link OverlappedTiles} for both.
 *
 * <p>A row has the same bits among whatever other rows, however few: panels are pages, and values
 * are words, whose scales all positions of a panel share, only in pages that are full by the time
 * that a block begins. In the page of the block itself, of which more or less may be stored, values
 * are floats.
 */
public final class AttendMany {
  private static final int PART = AttendArguments.PART;

  private final KernelWriter w;
  private final ManyRows rows;
  private final Pieces pieces;

  /**
   * What is done with a panel, how its sums are made, and what a number of a query takes.
   *
   * @param overlapped for panels that all rows see, where the machine has registers for it
   */
  private record Pieces(
      Runnable panel, Runnable sums, Optional<OverlappedTiles> overlapped, int queryBytes) {
    static Pieces of(KernelWriter w, KvKind kind) {
      return kind.meetsAsWords() ? words(w, kind) : floats(w, kind);
    }

    private static Pieces floats(KernelWriter w, KvKind kind) {
      var scores = new ScoreTile(w);
      var values = new ValueTile(w);
      return new Pieces(
          new KvPanel(w, kind)::emit,
          () -> {
            scores.emit();
            values.emit();
          },
          Optional.empty(),
          Float.BYTES);
    }

    private static Pieces words(KernelWriter w, KvKind kind) {
      var panel = new KvWords(w, kind);
      var scores = new WordScoreTile(w);
      return new Pieces(
          () -> {
            panel.emitKeys();
            either(w, panel::emitValues, panel::emitFloatValues);
          },
          () -> {
            scores.emit();
            either(
                w,
                () -> {
                  scores.emitWeights();
                  new WordValueTile(w, BASE).emit();
                },
                () -> {
                  scores.emitFloatWeights();
                  new ValueTile(w).emit();
                });
          },
          OverlappedTiles.runsOn(w.isa()) ? Optional.of(new OverlappedTiles(w)) : Optional.empty(),
          Short.BYTES);
    }

    /** One where the panel is a full page, the other where it is the block's own; changes rax. */
    private static void either(KernelWriter w, Runnable full, Runnable own) {
      var isOwn = w.label("own");
      var done = w.label("either");
      w.op(MOV, RAX, kept(ManyLayout.POSITION));
      w.op(CMP, RAX, kept(ManyLayout.FULL_END));
      w.op(JGE, isOwn);
      full.run();
      w.op(JMP, done);
      w.bind(isOwn);
      own.run();
      w.bind(done);
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
    var next = w.label("nextUnit");
    var done = w.label("done");
    w.begin(name);
    w.op(CMP, FROM, TO);
    w.op(JGE, done);
    w.op(MOV, BASE, SCRATCH);
    w.op(MOV, kept(ManyLayout.UNIT), FROM);
    w.op(MOV, kept(ManyLayout.END), TO);
    places();
    w.bind(unit);
    block(next);
    rows.begin();
    positions();
    rows.end();
    w.bind(next);
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
    w.op(IMUL, RAX, at(ARGUMENTS, AttendArguments.ROOM));
    w.op(LEA, RCX, at(RCX, RAX, 4));
    w.op(MOV, kept(ManyLayout.TILE_SUMS), RCX);
  }

  /** Which rows, heads and positions the unit has; on to the next where it has no rows. */
  private void block(Label next) {
    w.op(MOV, RAX, kept(ManyLayout.UNIT));
    AttendShare.emit(w, AttendArguments.BLOCKS);
    w.op(MOV, kept(ManyLayout.HEAD), AttendShare.HEAD);
    w.op(MOV, kept(ManyLayout.HEADS), AttendShare.HEADS);
    inPage(KvPart.KEYS_AT, KvPart.KEY_HEAD_BYTES, ManyLayout.KEYS);
    inPage(KvPart.VALUES_AT, KvPart.VALUE_HEAD_BYTES, ManyLayout.VALUES);
    w.note("r8 = first row, rcx = rows: those of a block of the sequence that there are");
    w.op(MOV, RCX, at(ARGUMENTS, AttendArguments.BLOCK_ROWS));
    w.op(IMUL, R8, RCX);
    w.op(LEA, RAX, at(RCX, -1));
    w.op(AND, RAX, at(ARGUMENTS, PART + KvPart.POSITION));
    w.op(SUB, R8, RAX);
    w.op(ADD, RCX, R8);
    w.op(MOV, RAX, at(ARGUMENTS, AttendArguments.ROW_COUNT));
    w.op(CMP, RCX, RAX);
    w.op(CMOVG, RCX, RAX);
    w.op(XOR, RAX.d(), RAX.d());
    w.op(TEST, R8, R8);
    w.op(CMOVL, R8, RAX);
    w.op(SUB, RCX, R8);
    w.op(JLE, next);
    w.op(MOV, kept(ManyLayout.ROW), R8);
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
    w.note("full pages end before the first row's, or before the end of what all rows see");
    w.op(CMP, RAX, R8);
    w.op(CMOVL, RAX, R8);
    w.op(AND, RAX, imm(-KvPart.POSITIONS));
    w.op(MOV, kept(ManyLayout.FULL_END), RAX);
    w.note("from the beginning of the page that the first row's window begins in");
    w.op(XOR, RAX.d(), RAX.d());
    w.op(INC, R8);
    w.op(SUB, R8, at(ARGUMENTS, PART + KvPart.WINDOW));
    w.op(CMOVL, R8, RAX);
    w.op(AND, R8, imm(-KvPart.POSITIONS));
    w.op(MOV, kept(ManyLayout.POSITION), R8);
  }

  private void inPage(int from, int headBytes, int to) {
    w.op(MOV, RAX, at(ARGUMENTS, PART + headBytes));
    w.op(IMUL, RAX, AttendShare.KV_HEAD);
    w.op(ADD, RAX, at(ARGUMENTS, PART + from));
    w.op(MOV, kept(to), RAX);
  }

  /** Panel after panel, each a page or what some row sees of the last one. */
  private void positions() {
    var next = w.label("panel");
    w.bind(next);
    w.op(MOV, RAX, kept(ManyLayout.POSITION));
    w.op(MOV, RCX, kept(ManyLayout.POSITIONS_END));
    w.op(SUB, RCX, RAX);
    w.op(SHR, RAX, imm(KvPart.SHIFT));
    w.op(MOV, KvPanel.PAGE, at(ARGUMENTS, PART + KvPart.PAGES));
    w.op(MOV, KvPanel.PAGE, at(KvPanel.PAGE, RAX, 8));
    w.op(MOV, RAX.d(), imm(KvPart.POSITIONS));
    w.op(CMP, RCX, RAX);
    w.op(CMOVG, RCX, RAX);
    w.op(MOV, kept(ManyLayout.COUNT), RCX);
    pieces.panel.run();
    var met = w.label("met");
    pieces.overlapped.ifPresent(
        overlapped -> {
          var seen = w.label("seenInPart");
          overlapped.unless(seen);
          overlapped.emit();
          w.op(JMP, met);
          w.bind(seen);
        });
    tiles();
    w.bind(met);
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
    pieces.sums.run();
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
