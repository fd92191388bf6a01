package weft.cpu.kernel.attention;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.kernel.attention.ManyLayout.TILE;
import static weft.cpu.kernel.attention.ManyLayout.kept;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;

import weft.cpu.asm.Label;
import weft.cpu.kernel.emit.KernelWriter;

/** From one tile of queries to the next. */
record TileWalk(KernelWriter w) {
  /** Tells how many positions of the panel the tile sees; none of them, no work. */
  void seen(Told told, Label next) {
    w.note("rcx = positions of the panel up to the last query's own");
    w.op(MOV, told.seen(), imm(0));
    w.op(MOV, RDX, kept(ManyLayout.POSITION));
    w.op(MOV, RCX.d(), at(ScoreTile.STATE, ManyLayout.STATE_LAST + 4 * (TILE - 1)));
    w.op(INC, RCX);
    w.op(SUB, RCX, RDX);
    w.op(JLE, next);
    w.op(MOV, RAX, kept(ManyLayout.COUNT));
    w.op(CMP, RCX, RAX);
    w.op(CMOVG, RCX, RAX);
    w.note("nor where the first query's window begins behind the panel");
    w.op(ADD, RAX, RDX);
    w.op(MOV, RDX.d(), at(ScoreTile.STATE, ManyLayout.STATE_FIRST));
    w.op(CMP, RDX, RAX);
    w.op(JGE, next);
    w.op(MOV, told.seen(), RCX);
  }

  void nextState() {
    w.op(ADD, ScoreTile.STATE, imm(ManyLayout.STATE_BYTES));
  }

  /** The next queries, of which a number takes so many bytes. */
  void nextQueries(int bytes) {
    w.op(MOV, RAX, at(ARGUMENTS, AttendArguments.KEY_DIM));
    w.op(IMUL, RAX, RAX, imm((long) bytes * TILE));
    w.op(ADD, ScoreTile.QUERIES, RAX);
  }

  void nextSums() {
    w.op(MOV, RAX, at(ARGUMENTS, AttendArguments.VALUE_DIM));
    w.op(IMUL, RAX, RAX, imm(4L * TILE));
    w.op(ADD, ValueTile.SUMS, RAX);
  }
}
