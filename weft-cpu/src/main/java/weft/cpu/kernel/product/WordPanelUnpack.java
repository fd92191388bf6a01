package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.product.PanelRows.COLUMN;
import static weft.cpu.kernel.product.PanelRows.POINTERS;
import static weft.cpu.kernel.product.PanelRows.READ;
import static weft.cpu.kernel.product.PanelRows.SCRATCH;
import static weft.cpu.kernel.product.PanelRows.TO;
import static weft.cpu.kernel.product.PanelRows.VALUES;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Label;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.emit.Transpose;
import weft.cpu.kernel.emit.WordDot;
import weft.cpu.kernel.emit.WordScale;
import weft.cpu.kernel.format.FloatCode;

/**
 * The function that unpacks a {@link Panel} of words: each 64 values of a row under a scale of
 * their own, as {@link WordRows} have them, or all of them under one, as {@link WordScales} says.
 * The number of values is a multiple of 16.
 */
public final class WordPanelUnpack {
  private static final Gpr ROW = RAX;
  private static final Gpr UNITS = R9;
  private static final Gpr STEPS = R11;

  /** Where the levels of the rows at hand wait: a panel of words has no minimums. */
  private static final int LEVELS = Panel.MINIMUMS;

  private final KernelWriter w;
  private final FloatCode code;
  private final int lanes;
  private final Vec[] rows;
  private final Vec spare;
  private final Vec x;
  private final Vec levelsOf;
  private final Vec greatest;

  private WordPanelUnpack(KernelWriter w, FloatCode code) {
    this.w = w;
    this.code = code;
    var registers = new Registers(w.isa());
    lanes = w.isa().vectorBits() / 32;
    rows = registers.take(lanes);
    spare = registers.take();
    x = registers.take();
    levelsOf = registers.take();
    greatest = registers.take();
  }

  static Label emit(KernelWriter w, FloatCode code, WordScales scales) {
    var unpack = new WordPanelUnpack(w, code);
    return PanelRows.emit(
        w,
        unpack.lanes,
        switch (scales) {
          case BLOCKS -> unpack::rows;
          case PANELS -> unpack::rowsUnderOne;
        });
  }

  /** The longest of each row's blocks, then all of their words. */
  private void rowsUnderOne() {
    var block = w.label("squares");
    var words = w.label("words");
    w.op(XOR, READ.d(), READ.d());
    w.op(LEA, UNITS, at(SCRATCH, COLUMN, 1, Panel.SCALES));
    steps();
    w.zero(greatest);
    w.loop(block);
    squares(WordRows.BLOCK / lanes);
    w.note("by their bits: what is no number is the greatest, and stays");
    w.op(VPMAXUD, greatest, greatest, rows[0]);
    w.op(ADD, READ, imm(WordRows.BLOCK * code.bytes()));
    w.op(DEC, STEPS);
    w.op(JNE, block);
    scale(greatest);
    w.op(XOR, READ.d(), READ.d());
    steps();
    w.loop(words);
    words(WordRows.BLOCK, WordRows.BLOCK);
    w.op(DEC, STEPS);
    w.op(JNE, words);
  }

  /** The whole blocks of a row. */
  private void steps() {
    w.op(MOV, STEPS, VALUES);
    w.op(SHR, STEPS, imm(Integer.numberOfTrailingZeros(WordRows.BLOCK)));
  }

  private void rows() {
    var block = w.label("block");
    var rest = w.label("rest");
    w.op(XOR, READ.d(), READ.d());
    w.op(LEA, UNITS, at(SCRATCH, COLUMN, 1, Panel.SCALES));
    steps();
    w.op(JE, rest);
    w.loop(block);
    block(WordRows.BLOCK, WordRows.BLOCK);
    w.op(DEC, STEPS);
    w.op(JNE, block);
    w.bind(rest);
    w.op(MOV, STEPS, VALUES);
    w.op(AND, STEPS, imm(WordRows.BLOCK - 1));
    WordRest.emit(w, STEPS, this::block);
  }

  private void block(int values, int given) {
    squares(given / lanes);
    scale(rows[0]);
    words(values, given);
    w.op(ADD, UNITS, imm(Float.BYTES * Panel.ROWS));
  }

  private void words(int values, int given) {
    for (int v = 0; v < values / lanes; v += 2) pairs(v, given / lanes);
    w.op(ADD, READ, imm(given * code.bytes()));
    w.op(ADD, TO, imm(Short.BYTES * Panel.ROWS * values));
  }

  /** The squares of each row, a register a row, then a lane of the first. */
  private void squares(int vectors) {
    for (int row = 0; row < lanes; row++) {
      w.op(MOV, ROW, at(POINTERS, 8 * row));
      w.zero(rows[row]);
      for (int v = 0; v < vectors; v++) {
        load(x, v);
        w.op(VFMADD231PS, rows[row], x, x);
      }
    }
    var columns = Transpose.emit(w, rows, spare);
    for (int c = 1; c < lanes; c++) w.op(VADDPS, columns[0], columns[0], columns[c]);
    w.move(rows[0], columns[0]);
  }

  /** Squares become what a level stands for; how many levels numbers have waits in the scratch. */
  private void scale(Vec squares) {
    new WordScale(w).emit(squares, levelsOf, x);
    w.store(at(UNITS), squares);
    w.store(at(SCRATCH, LEVELS), levelsOf);
  }

  /** Two vectors of each row, of as many as there are, become pairs of words. */
  private void pairs(int v, int vectors) {
    for (int row = 0; row < lanes; row++) {
      w.op(MOV, ROW, at(POINTERS, 8 * row));
      w.op(VBROADCASTSS, levelsOf, at(SCRATCH, LEVELS + Float.BYTES * row));
      whole(rows[row], v, vectors);
      whole(x, v + 1, vectors);
      w.op(VPACKSSDW, rows[row], rows[row], x);
    }
    var columns = Transpose.emit(w, rows, spare);
    for (int c = 0; c < lanes; c++) {
      int value = v * lanes + WordDot.first(c, lanes);
      w.store(at(TO, Short.BYTES * Panel.ROWS * value), columns[c]);
    }
  }

  private void whole(Vec to, int v, int vectors) {
    if (v >= vectors) {
      w.zero(to);
      return;
    }
    load(to, v);
    w.op(VMULPS, to, to, levelsOf);
    w.op(VCVTPS2DQ, to, to);
  }

  private void load(Vec to, int v) {
    code.load(w, to, at(ROW, READ, 1, v * lanes * code.bytes()));
  }
}
