package weft.cpu.kernel.attention;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.kernel.attention.ManyLayout.BASE;
import static weft.cpu.kernel.attention.ManyLayout.kept;

import weft.cpu.asm.Gpr;
import weft.cpu.kernel.emit.KernelWriter;

/**
 * The tiles of a block meet a panel of words, some of them in turns: scores of each, weights of
 * each, sums of each. From a tile's scores to its sums one result waits for another (the greatest
 * score, exponentials), some hundred cycles long; other tiles fill them.
 */
final class WordTiles {
  /** What goes from tile to tile where queries are met, and where they are not. */
  private static final Gpr BESIDE_QUERIES = ValueTile.SUMS;

  private static final Gpr BESIDE_SUMS = ScoreTile.QUERIES;

  private final KernelWriter w;
  private final TileWalk walk;

  WordTiles(KernelWriter w) {
    this.w = w;
    walk = new TileWalk(w);
  }

  /** One where the panel is a full page, the other where it is the block's own; changes rax. */
  static void either(KernelWriter w, Runnable full, Runnable own) {
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

  void emit() {
    var turn = w.label("turn");
    w.op(LEA, RAX, at(BASE, ManyLayout.STATES));
    w.op(MOV, kept(ManyLayout.TURN_STATE), RAX);
    w.op(MOV, RAX, kept(ManyLayout.TILE_QUERIES));
    w.op(MOV, kept(ManyLayout.TURN_QUERIES), RAX);
    w.op(MOV, RAX, kept(ManyLayout.TILE_SUMS));
    w.op(MOV, kept(ManyLayout.TURN_SUMS), RAX);
    w.op(MOV, RAX, kept(ManyLayout.TILES));
    w.op(MOV, kept(ManyLayout.TILES_LEFT), RAX);
    w.bind(turn);
    w.op(MOV, RAX, kept(ManyLayout.TILES_LEFT));
    w.op(MOV, RCX.d(), imm(ManyLayout.TURN));
    w.op(CMP, RAX, RCX);
    w.op(CMOVG, RAX, RCX);
    w.op(MOV, kept(ManyLayout.TURN_TILES), RAX);
    scores();
    weights();
    sums();
    w.op(MOV, kept(ManyLayout.TURN_STATE), ScoreTile.STATE);
    w.op(MOV, RAX, kept(ManyLayout.TURN_TILES));
    w.op(SUB, kept(ManyLayout.TILES_LEFT), RAX);
    w.op(JG, turn);
  }

  private void scores() {
    var told = Told.by(BESIDE_QUERIES);
    var tile = new WordScoreTile(w, told);
    w.op(MOV, ScoreTile.QUERIES, kept(ManyLayout.TURN_QUERIES));
    overTiles(
        told,
        () -> {
          var none = w.label("unscored");
          walk.seen(told, none);
          WordScoreTile.vectors(w, told);
          tile.emit();
          w.bind(none);
          walk.nextQueries(Short.BYTES);
        });
    w.op(MOV, kept(ManyLayout.TURN_QUERIES), ScoreTile.QUERIES);
  }

  private void weights() {
    var told = Told.by(BESIDE_SUMS);
    var tile = new WordScoreTile(w, told);
    overTiles(
        told,
        () ->
            ifSeen(
                told,
                () -> {
                  tile.emitFactors();
                  either(w, tile::emitWeights, tile::emitFloatWeights);
                }));
  }

  private void sums() {
    var told = Told.by(BESIDE_SUMS);
    w.op(MOV, ValueTile.SUMS, kept(ManyLayout.TURN_SUMS));
    overTiles(
        told,
        () -> {
          ifSeen(
              told,
              () -> either(w, new WordValueTile(w, told)::emit, new ValueTile(w, told)::emit));
          walk.nextSums();
        });
    w.op(MOV, kept(ManyLayout.TURN_SUMS), ValueTile.SUMS);
  }

  /** Runs the body for each of the tiles at hand. */
  private void overTiles(Told told, Runnable body) {
    var tile = w.label("tile");
    w.op(MOV, ScoreTile.STATE, kept(ManyLayout.TURN_STATE));
    w.op(LEA, told.from(), at(BASE, ManyLayout.TOLDS));
    w.op(MOV, RAX, kept(ManyLayout.TURN_TILES));
    w.op(MOV, kept(ManyLayout.TURN_LEFT), RAX);
    w.bind(tile);
    body.run();
    walk.nextState();
    w.op(ADD, told.from(), imm(ManyLayout.TOLD_BYTES));
    w.op(DEC, kept(ManyLayout.TURN_LEFT));
    w.op(JNE, tile);
  }

  private void ifSeen(Told told, Runnable body) {
    var none = w.label("unseen");
    w.op(CMP, told.seen(), imm(0));
    w.op(JE, none);
    WordScoreTile.vectors(w, told);
    body.run();
    w.bind(none);
  }
}
