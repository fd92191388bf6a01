package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Label;
import weft.cpu.kernel.emit.KernelWriter;

/**
 * A function that unpacks the rows of a {@link Panel}, as many at a time as a register has lanes:
 * the way through them, whatever they become.
 *
 * <p>It takes the scratch memory in rcx and the number of values in rdx, and leaves the panel's row
 * pointers behind what it read.
 */
final class PanelRows {
  static final Gpr SCRATCH = RCX;
  static final Gpr VALUES = RDX;

  /** Where the pointers of the rows at hand are, and how many bytes of each were read. */
  static final Gpr POINTERS = RSI;

  static final Gpr READ = RBX;

  /** Where the rows at hand go, and how many bytes of each column lie before theirs. */
  static final Gpr TO = R8;

  static final Gpr COLUMN = RBP;

  private PanelRows() {}

  /**
   * @param some code for some rows, from {@link #TO} on, which counts {@link #READ} up from zero
   */
  static Label emit(KernelWriter w, int lanes, Runnable some) {
    var entry = w.label("unpack");
    w.loop(entry);
    emit(w, lanes, () -> {}, some);
    return entry;
  }

  /**
   * The same for a function that has begun, and has code of its own before all rows.
   *
   * @param once that code
   */
  static void emit(KernelWriter w, int lanes, Runnable once, Runnable some) {
    var next = w.label("rows");
    w.op(LEA, POINTERS, at(SCRATCH, Panel.POINTERS));
    once.run();
    w.op(XOR, COLUMN.d(), COLUMN.d());
    w.bind(next);
    w.op(LEA, TO, at(SCRATCH, COLUMN, 1, Panel.BYTES));
    some.run();
    for (int row = 0; row < lanes; row++) {
      w.op(ADD, at(POINTERS, 8 * row), READ);
    }
    w.op(ADD, POINTERS, imm(8 * lanes));
    w.op(ADD, COLUMN, imm(4 * lanes));
    w.op(CMP, COLUMN, imm(4 * Panel.ROWS));
    w.op(JB, next);
    w.op(RET);
  }
}
