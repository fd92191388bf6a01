package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.CMP;
import static weft.cpu.asm.BaseOp.JMP;
import static weft.cpu.asm.BaseOp.JNE;
import static weft.cpu.asm.Imm.imm;

import weft.cpu.asm.Gpr;
import weft.cpu.kernel.emit.KernelWriter;

/** What is left of a row behind its whole blocks: a last block, some of it perhaps zeros. */
final class WordRest {
  private WordRest() {}

  /** Code for a block of {@code values}, of which the row has the first {@code given}. */
  interface Block {
    void emit(int values, int given);
  }

  /** Runs the block for as many values as {@code rest} says, less than a block; or for none. */
  static void emit(KernelWriter w, Gpr rest, Block block) {
    var done = w.label("rested");
    for (int given = WordRows.LEAST; given < WordRows.BLOCK; given += WordRows.LEAST) {
      var other = w.label("not" + given);
      w.op(CMP, rest, imm(given));
      w.op(JNE, other);
      block.emit(Math.ceilDiv(given, WordRows.HALF) * WordRows.HALF, given);
      w.op(JMP, done);
      w.bind(other);
    }
    w.bind(done);
  }
}
