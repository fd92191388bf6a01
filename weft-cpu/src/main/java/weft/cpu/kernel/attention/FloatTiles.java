package weft.cpu.kernel.attention;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.RAX;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.kernel.attention.ManyLayout.BASE;
import static weft.cpu.kernel.attention.ManyLayout.kept;

import weft.cpu.kernel.emit.KernelWriter;

/** The tiles of a block meet a panel of floats, one after the other. */
final class FloatTiles {
  private final KernelWriter w;
  private final TileWalk walk;
  private final ScoreTile scores;
  private final ValueTile values;

  FloatTiles(KernelWriter w) {
    this.w = w;
    walk = new TileWalk(w);
    scores = new ScoreTile(w);
    values = new ValueTile(w, Told.ONE);
  }

  void emit() {
    var tile = w.label("tile");
    var next = w.label("next");
    w.op(LEA, ScoreTile.STATE, at(BASE, ManyLayout.STATES));
    w.op(MOV, ScoreTile.QUERIES, kept(ManyLayout.TILE_QUERIES));
    w.op(MOV, ValueTile.SUMS, kept(ManyLayout.TILE_SUMS));
    w.op(MOV, RAX, kept(ManyLayout.TILES));
    w.op(MOV, kept(ManyLayout.TILES_LEFT), RAX);
    w.bind(tile);
    walk.seen(Told.ONE, next);
    scores.emit();
    values.emit();
    w.bind(next);
    walk.nextState();
    walk.nextQueries(Float.BYTES);
    walk.nextSums();
    w.op(DEC, kept(ManyLayout.TILES_LEFT));
    w.op(JNE, tile);
  }
}
