package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.ADD;
import static weft.cpu.asm.BaseOp.DEC;
import static weft.cpu.asm.BaseOp.JE;
import static weft.cpu.asm.BaseOp.JNE;
import static weft.cpu.asm.BaseOp.TEST;
import static weft.cpu.asm.Imm.imm;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Label;
import weft.cpu.kernel.emit.KernelWriter;

/**
 * The loop over rows that are cut into runs and read side by side: turns that take a row of each
 * stream, then the rows that did not divide, one at a time.
 *
 * @param turns holds how many turns there are
 * @param rest holds how many rows are left behind them
 * @param out where results go, which moves on by one of them a turn
 */
record StreamLoop(KernelWriter w, Gpr turns, Gpr rest, Gpr out) {
  /** Code for a row of each of some streams. */
  @FunctionalInterface
  interface Rows {
    void emit(int streams);
  }

  /**
   * @param rows multiplies, and leaves the streams behind the rows
   * @param results writes what rows made
   * @param behind moves the first stream and {@code out} to where the last stream ended
   * @param done where to go on when there is nothing left
   */
  void emit(int streams, Rows rows, Rows results, Runnable behind, Label done) {
    var turn = w.label("turn");
    var left = w.label("rest");
    var single = w.label("single");
    w.op(TEST, turns, turns);
    w.op(JE, left);

    w.bind(turn);
    each(streams, rows, results);
    w.op(DEC, turns);
    w.op(JNE, turn);

    w.note("the rest begins where the last stream ended");
    behind.run();
    w.bind(left);
    w.op(TEST, rest, rest);
    w.op(JE, done);
    w.bind(single);
    each(1, rows, results);
    w.op(DEC, rest);
    w.op(JNE, single);
    w.bind(done);
  }

  private void each(int streams, Rows rows, Rows results) {
    rows.emit(streams);
    results.emit(streams);
    w.op(ADD, out, imm(Float.BYTES));
  }
}
