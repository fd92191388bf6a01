package weft.cpu.kernel.attention;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.attention.ManyLayout.BASE;
import static weft.cpu.kernel.attention.ManyLayout.POSITIONS;
import static weft.cpu.kernel.attention.ManyLayout.kept;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Place;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.emit.Transpose;
import weft.cpu.kernel.emit.WordDot;
import weft.cpu.kernel.emit.WordScale;

/**
 * The twin of {@link KvPanel} for words: the keys of up to 64 positions, each under a scale, in
 * pairs of axes with rows for columns; their values, each column under a scale, in pairs of
 * positions.
 */
public final class KvWords {
  private static final int PART = AttendArguments.PART;

  /**
   * How many levels the greatest weight of a panel has: all of them as great are not too long, as
   * {@link WordScale} says, for sums of 31 bits.
   */
  static final int WEIGHT_LEVELS =
      (int) (Integer.MAX_VALUE / WordScale.LENGTH / Math.sqrt(POSITIONS));

  /** The lower of two words. */
  private static final int LOWER = 0xFFFF;

  /** For vpblendw: the odd words of the second. */
  private static final int ODD_WORDS = 0xAA;

  private static final Gpr BYTES_IN = RBX;

  private final KernelWriter w;
  private final KvRead read;
  private final KvPanel floats;
  private final int lanes;

  /** Vectors of a number of whole blocks and, where there are as many, of whole pairs. */
  private final int chunk;

  private final Vec[] rows;
  private final Vec spare;
  private final Vec x;
  private final Vec scale;
  private final Vec levelsOf;

  KvWords(KernelWriter w, KvKind kind) {
    this.w = w;
    read = new KvRead(w, kind);
    floats = new KvPanel(w, kind);
    lanes = w.isa().vectorBits() / Float.SIZE;
    chunk = Math.max(2, read.least());
    var registers = new Registers(w.isa());
    rows = registers.take(lanes);
    spare = registers.take();
    x = registers.take();
    scale = registers.take();
    levelsOf = registers.take();
  }

  /** Leaves where values are, as {@link KvPanel#begin} does. */
  void emitKeys() {
    KvPanel.begin(w);
    KvPanel.places(w);
    keys();
  }

  /** Where the panel is a full page. */
  void emitValues() {
    w.op(MOV, R8, RDX);
    w.op(MOV, R12, R13);
    KvPanel.places(w);
    values();
  }

  /** Where it is not: a scale that positions share would depend on how many there are by now. */
  void emitFloatValues() {
    floats.values();
  }

  private void keys() {
    var group = w.label("keys");
    w.note("r8 = places of a group, r9 = where it goes, rcx = keys left, r13 = where units go");
    w.op(LEA, R8, at(BASE, ManyLayout.PLACES));
    w.op(LEA, R9, at(BASE, ManyLayout.KEY_PANEL));
    w.op(LEA, R13, at(BASE, ManyLayout.KEY_UNITS));
    w.op(MOV, RCX, kept(ManyLayout.COUNT));
    w.loop(group);
    keyUnits();
    keyWords();
    w.op(ADD, R8, imm(8L * lanes));
    w.op(ADD, R9, imm(4L * lanes));
    w.op(ADD, R13, imm(4L * lanes));
    w.op(SUB, RCX, imm(lanes));
    w.op(JG, group);
    w.op(MOV, R13, at(ARGUMENTS, PART + KvPart.VALUE_BYTES));
  }

  /** The squares of each key, a register a key, then a lane. */
  private void keyUnits() {
    var each = w.label("squares");
    for (var row : rows) w.zero(row);
    w.op(XOR, BYTES_IN.d(), BYTES_IN.d());
    w.op(MOV, R11, at(ARGUMENTS, AttendArguments.KEY_DIM));
    w.loop(each);
    for (int row = 0; row < lanes; row++) {
      w.op(MOV, RAX, at(R8, 8L * row));
      for (int v = 0; v < read.least(); v++) {
        square(rows[row], v);
      }
    }
    w.op(ADD, BYTES_IN, imm(read.bytes(read.least())));
    w.op(SUB, R11, imm((long) lanes * read.least()));
    w.op(JG, each);
    var columns = Transpose.emit(w, rows, spare);
    for (int c = 1; c < lanes; c++) w.op(VADDPS, columns[0], columns[0], columns[c]);
    new WordScale(w).emit(columns[0], levelsOf, x);
    w.op(VMOVUPS, at(R13), columns[0]);
    w.op(VMOVUPS, at(BASE, ManyLayout.KEY_LEVELS), levelsOf);
  }

  /** Adds the squares of a vector at rax. */
  private void square(Vec to, int v) {
    read.load(x, Place.of(RAX, BYTES_IN, 1), v, scale, false);
    w.op(VFMADD231PS, to, x, x);
  }

  private void keyWords() {
    var each = w.label("words");
    var last = w.label("last");
    var done = w.label("worded");
    w.op(XOR, BYTES_IN.d(), BYTES_IN.d());
    w.op(MOV, R10, R9);
    w.op(MOV, R11, at(ARGUMENTS, AttendArguments.KEY_DIM));
    w.bind(each);
    if (read.least() < 2) {
      w.op(CMP, R11, imm(2L * lanes));
      w.op(JL, last);
    }
    for (int v = 0; v < chunk; v += 2) pairs(v, 2);
    w.op(ADD, BYTES_IN, imm(read.bytes(chunk)));
    w.op(ADD, R10, imm(2L * POSITIONS * lanes * chunk));
    w.op(SUB, R11, imm((long) lanes * chunk));
    w.op(JG, each);
    if (read.least() < 2) {
      w.op(JMP, done);
      w.bind(last);
      w.op(TEST, R11, R11);
      w.op(JE, done);
      pairs(0, 1);
      w.bind(done);
    }
  }

  /** Two vectors of each key, or one, become pairs of words. */
  private void pairs(int v, int vectors) {
    for (int row = 0; row < lanes; row++) {
      w.op(MOV, RAX, at(R8, 8L * row));
      w.op(VBROADCASTSS, levelsOf, at(BASE, ManyLayout.KEY_LEVELS + row * Float.BYTES));
      whole(rows[row], Place.of(RAX, BYTES_IN, 1), v);
      if (vectors == 2) {
        whole(x, Place.of(RAX, BYTES_IN, 1), v + 1);
      } else {
        w.zero(x);
      }
      w.op(VPACKSSDW, rows[row], rows[row], x);
    }
    var columns = Transpose.emit(w, rows, spare);
    for (int c = 0; c < lanes; c++) {
      int axis = WordDot.first(c, lanes);
      if (axis >= vectors * lanes) continue;
      w.op(VMOVUPS, at(R10, (v * lanes + axis) / 2 * 4L * POSITIONS), columns[c]);
    }
  }

  /** A vector at a place as whole numbers of levels. */
  private void whole(Vec to, Place place, int v) {
    read.load(to, place, v, scale, false);
    w.op(VMULPS, to, to, levelsOf);
    w.op(VCVTPS2DQ, to, to);
  }

  private void values() {
    var each = w.label("values");
    int least = read.least();
    w.note("r9 = where a vector of columns goes, r10 = from pair to pair, r12 = their units");
    w.op(MOV, R9, kept(ManyLayout.VALUE_PANEL));
    w.op(MOV, R11, at(ARGUMENTS, AttendArguments.VALUE_DIM));
    w.op(LEA, R10, at(R11, R11, 1));
    w.op(ADD, R10, R10);
    w.op(IMUL, R12, R11, imm(ManyLayout.VALUE_UNITS_AT));
    w.op(ADD, R12, R9);
    w.op(XOR, BYTES_IN.d(), BYTES_IN.d());
    w.loop(each);
    valueUnits(least);
    valueWords(least);
    w.op(ADD, BYTES_IN, imm(read.bytes(least)));
    w.op(ADD, R9, imm(4L * lanes * least));
    w.op(ADD, R12, imm(4L * lanes * least));
    w.op(SUB, R11, imm((long) lanes * least));
    w.op(JG, each);
  }

  /** The squares of each column; {@code rows} hold what they are multiplied with. */
  private void valueUnits(int vectors) {
    var position = w.label("position");
    for (int v = 0; v < vectors; v++) w.zero(rows[v]);
    w.op(LEA, R8, at(BASE, ManyLayout.PLACES));
    w.op(MOV, RCX, kept(ManyLayout.COUNT));
    w.loop(position);
    w.op(MOV, RAX, at(R8));
    for (int v = 0; v < vectors; v++) square(rows[v], v);
    w.op(ADD, R8, imm(8));
    w.op(DEC, RCX);
    w.op(JNE, position);
    for (int v = 0; v < vectors; v++) {
      new WordScale(w).emit(rows[v], levelsOf, x);
      w.op(VMOVUPS, at(R12, 4L * lanes * v), rows[v]);
      w.move(rows[v], levelsOf);
    }
  }

  /** Pairs of positions, in the order in which their weights are packed. */
  private void valueWords(int vectors) {
    var some = w.label("pairs");
    w.op(LEA, R8, at(BASE, ManyLayout.PLACES));
    w.op(MOV, RCX, kept(ManyLayout.COUNT));
    w.op(MOV, RSI, R9);
    w.loop(some);
    for (int pair = 0; pair < lanes; pair++) {
      int first = WordDot.first(pair, lanes);
      for (int v = 0; v < vectors; v++) {
        value(x, first, rows[v], v);
        value(spare, first + 1, rows[v], v);
        w.op(VPSLLD, spare, spare, imm(16));
        if (lanes == 16) {
          w.everywhere(scale, "lower", LOWER);
          w.orAnd(spare, x, scale);
          w.op(VMOVUPS, at(RSI, 4L * lanes * v), spare);
        } else {
          w.op(VPBLENDW, x, x, spare, imm(ODD_WORDS));
          w.op(VMOVUPS, at(RSI, 4L * lanes * v), x);
        }
      }
      w.op(ADD, RSI, R10);
    }
    w.op(ADD, R8, imm(2L * 8 * lanes));
    w.op(SUB, RCX, imm(2L * lanes));
    w.op(JG, some);
  }

  private void value(Vec to, int position, Vec levels, int v) {
    w.op(MOV, RAX, at(R8, 8L * position));
    read.load(to, Place.of(RAX, BYTES_IN, 1), v, scale, false);
    w.op(VMULPS, to, to, levels);
    w.op(VCVTPS2DQ, to, to);
  }
}
