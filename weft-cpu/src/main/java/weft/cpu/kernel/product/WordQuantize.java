package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.emit.KernelWriter.FROM;
import static weft.cpu.kernel.emit.KernelWriter.TO;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.emit.WordScale;

/** Rows of floats become {@link WordRows}; like {@link Quantize}, AVX2 serves every level. */
public final class WordQuantize {
  private static final String NAME = "words";

  private static final Gpr FLOATS = RAX;
  private static final Gpr WORDS = RBX;
  private static final Gpr UNITS = RCX;
  private static final Gpr BLOCKS = R10;
  private static final Gpr ROW_FROM = R8;
  private static final Gpr ROW_TO = R9;
  private static final Gpr ROWS = TO;

  /** Under scales of panels: values left in the row, and blocks of the panel. */
  private static final Gpr LEFT = R11;

  private static final Gpr BLOCKS_HERE = RSI;

  private static final int BITS = 256;
  private static final int VECTOR_BYTES = BITS / Byte.SIZE;

  /** For vpermq: packing has taken quarters of two vectors in turns. */
  private static final int IN_ORDER = 0b11_01_10_00;

  private WordQuantize() {}

  public static String name(WordScales scales) {
    return scales.named(NAME);
  }

  public static void emit(KernelWriter w, WordScales scales) {
    var row = w.label("row");
    var done = w.label("done");
    w.begin(name(scales));
    w.op(SUB, ROWS, FROM);
    w.op(JLE, done);
    w.op(MOV, ROW_FROM, at(ARGUMENTS, WordRowsArguments.FROM_BYTES));
    w.op(IMUL, ROW_FROM, FROM);
    w.op(ADD, ROW_FROM, at(ARGUMENTS, WordRowsArguments.FROM));
    w.op(MOV, ROW_TO, at(ARGUMENTS, WordRowsArguments.TO_BYTES));
    w.op(IMUL, ROW_TO, FROM);
    w.op(ADD, ROW_TO, at(ARGUMENTS, WordRowsArguments.TO));
    w.bind(row);
    w.op(MOV, FLOATS, ROW_FROM);
    w.op(MOV, WORDS, ROW_TO);
    w.op(MOV, BLOCKS, at(ARGUMENTS, WordRowsArguments.K));
    w.op(LEA, UNITS, at(BLOCKS, WordRows.HALF - 1));
    w.op(AND, UNITS, imm(-WordRows.HALF));
    w.op(LEA, UNITS, at(ROW_TO, UNITS, Short.BYTES));
    switch (scales) {
      case BLOCKS -> blocks(w);
      case PANELS -> panels(w);
    }
    w.op(ADD, ROW_FROM, at(ARGUMENTS, WordRowsArguments.FROM_BYTES));
    w.op(ADD, ROW_TO, at(ARGUMENTS, WordRowsArguments.TO_BYTES));
    w.op(DEC, ROWS);
    w.op(JNE, row);
    w.bind(done);
    w.end();
  }

  /** From the number of values in {@link #BLOCKS}. */
  private static void blocks(KernelWriter w) {
    var block = w.label("block");
    var rest = w.label("rest");
    w.op(SHR, BLOCKS, imm(Integer.numberOfTrailingZeros(WordRows.BLOCK)));
    w.op(JE, rest);
    w.loop(block);
    block(w, WordRows.BLOCK, WordRows.BLOCK);
    w.op(DEC, BLOCKS);
    w.op(JNE, block);
    w.bind(rest);
    w.op(MOV, BLOCKS, at(ARGUMENTS, WordRowsArguments.K));
    w.op(AND, BLOCKS, imm(WordRows.BLOCK - 1));
    WordRest.emit(w, BLOCKS, (values, given) -> block(w, values, given));
  }

  /** From the number of values in {@link #BLOCKS}: as many as a panel has, then the next. */
  private static void panels(KernelWriter w) {
    var panel = w.label("panel");
    var squares = w.label("squares");
    var words = w.label("words");
    int vectors = WordRows.BLOCK * Float.SIZE / BITS;
    var registers = new Registers(BITS);
    var x = registers.take(vectors);
    var unit = registers.take();
    var levelsOf = registers.take();
    var greatest = registers.take();
    var t = registers.take();
    w.op(MOV, LEFT, BLOCKS);
    w.op(SHR, LEFT, imm(Integer.numberOfTrailingZeros(WordRows.BLOCK)));
    w.bind(panel);
    w.op(MOV, BLOCKS.d(), imm(Panel.WORD_DEPTH / WordRows.BLOCK));
    w.op(CMP, BLOCKS, LEFT);
    w.op(CMOVG, BLOCKS, LEFT);
    w.op(SUB, LEFT, BLOCKS);
    w.op(MOV, BLOCKS_HERE, BLOCKS);
    w.zero(greatest);
    w.loop(squares);
    w.zero(unit);
    for (int i = 0; i < vectors; i++) {
      w.op(VMOVUPS, t, at(FLOATS, VECTOR_BYTES * i));
      w.op(VFMADD231PS, unit, t, t);
    }
    w.everyLane(VADDPS, unit, t);
    w.note("by their bits: what is no number is the greatest, and stays");
    w.op(VPMAXUD, greatest, greatest, unit);
    w.op(ADD, FLOATS, imm(Float.BYTES * WordRows.BLOCK));
    w.op(DEC, BLOCKS);
    w.op(JNE, squares);
    new WordScale(w).emit(greatest, levelsOf, t);
    w.op(MOV, BLOCKS, BLOCKS_HERE);
    w.op(SHL, BLOCKS, imm(Integer.numberOfTrailingZeros(Float.BYTES * WordRows.BLOCK)));
    w.op(SUB, FLOATS, BLOCKS);
    w.loop(words);
    w.op(VMOVSS, at(UNITS), greatest.x());
    for (int i = 0; i < vectors; i++) {
      w.op(VMULPS, x[i], levelsOf, at(FLOATS, VECTOR_BYTES * i));
      w.op(VCVTPS2DQ, x[i], x[i]);
    }
    pack(w, x);
    advance(w, WordRows.BLOCK);
    w.op(DEC, BLOCKS_HERE);
    w.op(JNE, words);
    w.op(TEST, LEFT, LEFT);
    w.op(JNE, panel);
  }

  private static void block(KernelWriter w, int values, int given) {
    int vectors = values * Float.SIZE / BITS;
    int loaded = given * Float.SIZE / BITS;
    var registers = new Registers(BITS);
    var x = registers.take(vectors);
    var unit = registers.take();
    var levelsOf = registers.take();
    var t = registers.take();
    w.zero(unit);
    for (int i = loaded; i < vectors; i++) w.zero(x[i]);
    for (int i = 0; i < loaded; i++) {
      w.op(VMOVUPS, x[i], at(FLOATS, VECTOR_BYTES * i));
      w.op(VFMADD231PS, unit, x[i], x[i]);
    }
    w.everyLane(VADDPS, unit, t);
    new WordScale(w).emit(unit, levelsOf, t);
    w.op(VMOVSS, at(UNITS), unit.x());
    for (int i = 0; i < loaded; i++) {
      w.op(VMULPS, x[i], x[i], levelsOf);
      w.op(VCVTPS2DQ, x[i], x[i]);
    }
    pack(w, x);
    advance(w, values);
  }

  private static void pack(KernelWriter w, Vec[] x) {
    for (int i = 0; i < x.length; i += 2) {
      w.op(VPACKSSDW, x[i], x[i], x[i + 1]);
      w.op(VPERMQ, x[i], x[i], imm(IN_ORDER));
      w.op(VMOVDQU, at(WORDS, VECTOR_BYTES / 2 * i), x[i]);
    }
  }

  private static void advance(KernelWriter w, int values) {
    w.op(ADD, FLOATS, imm(Float.BYTES * values));
    w.op(ADD, WORDS, imm(Short.BYTES * values));
    w.op(ADD, UNITS, imm(Float.BYTES));
  }
}
