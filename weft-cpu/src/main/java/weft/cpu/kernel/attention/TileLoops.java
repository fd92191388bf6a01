package weft.cpu.kernel.attention;

import static weft.cpu.asm.BaseOp.ADD;
import static weft.cpu.asm.BaseOp.DEC;
import static weft.cpu.asm.BaseOp.JNE;
import static weft.cpu.asm.BaseOp.LEA;
import static weft.cpu.asm.BaseOp.MOV;
import static weft.cpu.asm.Gpr.R11;
import static weft.cpu.asm.Gpr.R8;
import static weft.cpu.asm.Gpr.R9;
import static weft.cpu.asm.Gpr.RAX;
import static weft.cpu.asm.Gpr.RCX;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.VMOVUPS;
import static weft.cpu.kernel.attention.ManyLayout.BASE;
import static weft.cpu.kernel.attention.ManyLayout.TILE;
import static weft.cpu.kernel.attention.ScoreTile.STATE;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Label;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;

/**
 * The ways through the scores of a tile.
 *
 * @param vectors how many each query has
 * @param x where they are loaded to
 */
record TileLoops(KernelWriter w, Gpr vectors, Vec x) {
  /** Runs the body for each query: r8 is where its scores are, r9 its lane of the state. */
  void overQueries(Label loop, Runnable body) {
    w.op(LEA, R8, at(BASE, ManyLayout.WEIGHTS));
    w.op(MOV, R9, STATE);
    w.op(MOV, R11.d(), imm(TILE));
    w.loop(loop);
    body.run();
    w.op(ADD, R8, imm(ManyLayout.WEIGHT_BYTES));
    w.op(ADD, R9, imm(Float.BYTES));
    w.op(DEC, R11);
    w.op(JNE, loop);
  }

  /** Runs the body for each vector of a query's scores: rax is where, x is what. */
  void overVectors(Label loop, Runnable body) {
    w.op(MOV, RAX, R8);
    w.op(MOV, RCX, vectors);
    w.bind(loop);
    w.op(VMOVUPS, x, at(RAX));
    body.run();
    w.op(ADD, RAX, imm(x.bytes()));
    w.op(DEC, RCX);
    w.op(JNE, loop);
  }
}
