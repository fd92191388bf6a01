package weft.cpu.kernel.attention;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.VMOVUPS;
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

/**
 * Unpacks the keys and values of up to 64 positions into floats, keys with rows for columns, so
 * that many queries meet them at the speed of the vector units.
 */
public final class KvPanel {
  private static final int PART = AttendArguments.PART;

  /** The page that the panel is of, from its first position on. */
  static final Gpr PAGE = R9;

  private final KernelWriter w;
  private final KvRead read;
  private final int lanes;
  private final Vec[] rows;
  private final Vec spare;
  private final Vec scale;

  KvPanel(KernelWriter w, KvKind kind) {
    this.w = w;
    read = new KvRead(w, kind);
    lanes = w.isa().vectorBits() / Float.SIZE;
    var registers = new Registers(w.isa());
    rows = registers.take(lanes);
    spare = registers.take();
    scale = registers.take();
  }

  void emit() {
    begin(w);
    places(w);
    keys();
    values();
  }

  /**
   * r8 = the first key, r12 = from key to key, rdx = the first value, r13 = from one to another.
   */
  static void begin(KernelWriter w) {
    w.op(MOV, R12, at(ARGUMENTS, PART + KvPart.KEY_BYTES));
    w.op(MOV, R8, kept(ManyLayout.KEYS));
    w.op(ADD, R8, PAGE);
    w.op(MOV, R13, at(ARGUMENTS, PART + KvPart.VALUE_BYTES));
    w.op(MOV, RDX, kept(ManyLayout.VALUES));
    w.op(ADD, RDX, PAGE);
  }

  /** The places of all from r8 on, r12 apart; the last stands in for those behind it. */
  static void places(KernelWriter w) {
    var each = w.label("place");
    w.op(XOR, R9.d(), R9.d());
    w.op(XOR, RAX.d(), RAX.d());
    w.op(MOV, RCX, kept(ManyLayout.COUNT));
    w.bind(each);
    w.op(MOV, at(BASE, R9, 8, ManyLayout.PLACES), R8);
    w.op(DEC, RCX);
    w.op(CMOVLE, R12, RAX);
    w.op(ADD, R8, R12);
    w.op(INC, R9);
    w.op(CMP, R9, imm(POSITIONS));
    w.op(JL, each);
  }

  private void keys() {
    var group = w.label("keys");
    var chunk = w.label("chunk");
    w.note("r8 = places of a group, r9 = where it goes, rcx = keys left, rbx = bytes into a key");
    w.op(LEA, R8, at(BASE, ManyLayout.PLACES));
    w.op(LEA, R9, at(BASE, ManyLayout.KEY_PANEL));
    w.op(MOV, RCX, kept(ManyLayout.COUNT));
    w.loop(group);
    w.op(XOR, RBX.d(), RBX.d());
    w.op(MOV, R10, R9);
    w.op(MOV, R11, at(ARGUMENTS, AttendArguments.KEY_DIM));
    w.loop(chunk);
    for (int v = 0; v < read.least(); v++) {
      for (int row = 0; row < lanes; row++) {
        w.op(MOV, RAX, at(R8, 8L * row));
        read.load(rows[row], Place.of(RAX, RBX, 1), v, scale, false);
      }
      var columns = Transpose.emit(w, rows, spare);
      for (int c = 0; c < lanes; c++) {
        w.op(VMOVUPS, at(R10, (v * lanes + c) * 4L * POSITIONS), columns[c]);
      }
    }
    w.op(ADD, RBX, imm(read.bytes(read.least())));
    w.op(ADD, R10, imm(4L * POSITIONS * lanes * read.least()));
    w.op(SUB, R11, imm((long) lanes * read.least()));
    w.op(JG, chunk);
    w.op(ADD, R8, imm(8L * lanes));
    w.op(ADD, R9, imm(4L * lanes));
    w.op(SUB, RCX, imm(lanes));
    w.op(JG, group);
  }

  /** Values as floats, from rdx on, r13 apart. */
  void values() {
    var value = w.label("value");
    var chunk = w.label("chunk");
    w.note("rdx = a value, r13 = its bytes, r9 = where it goes, rcx = values left");
    w.op(MOV, R9, kept(ManyLayout.VALUE_PANEL));
    w.op(MOV, RCX, kept(ManyLayout.COUNT));
    w.bind(value);
    w.op(MOV, R8, RDX);
    w.op(MOV, R11, at(ARGUMENTS, AttendArguments.VALUE_DIM));
    w.loop(chunk);
    for (int v = 0; v < read.least(); v++) {
      read.load(rows[v], Place.of(R8), v, scale, v > 0);
      w.op(VMOVUPS, at(R9, 4L * v * lanes), rows[v]);
    }
    w.op(ADD, R8, imm(read.bytes(read.least())));
    w.op(ADD, R9, imm(4L * lanes * read.least()));
    w.op(SUB, R11, imm((long) lanes * read.least()));
    w.op(JG, chunk);
    w.op(ADD, RDX, R13);
    w.op(DEC, RCX);
    w.op(JNE, value);
  }
}
