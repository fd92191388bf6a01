package weft.cpu.kernel.attention;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.attention.ManyLayout.BASE;
import static weft.cpu.kernel.attention.ManyLayout.TILE;
import static weft.cpu.kernel.attention.ManyLayout.kept;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;

/** Adds the weighted values of a panel to the sums of six queries, some columns at a time. */
public final class ValueTile {
  /** The tile's sums. */
  static final Gpr SUMS = R14;

  private final KernelWriter w;
  private final int lanes;
  private final int most;
  private final Vec[][] sums;
  private final Vec[] values;
  private final Vec weight;

  ValueTile(KernelWriter w) {
    this.w = w;
    lanes = w.isa().vectorBits() / Float.SIZE;
    most = ManyLayout.vectors(w.isa());
    var registers = new Registers(w.isa());
    sums = registers.take(TILE, most);
    values = registers.take(most);
    weight = registers.take();
  }

  void emit() {
    var many = w.label("many");
    var one = w.label("one");
    var done = w.label("summed");
    w.note("rcx = columns left, rbx = bytes before them, r10 = from query to query");
    w.op(MOV, RCX, at(ARGUMENTS, AttendArguments.VALUE_DIM));
    w.op(LEA, R10, at(RCX, RCX, 1));
    w.op(ADD, R10, R10);
    w.op(XOR, RBX.d(), RBX.d());
    w.bind(many);
    w.op(CMP, RCX, imm((long) most * lanes));
    w.op(JL, one);
    columns(most);
    w.op(JMP, many);
    w.bind(one);
    w.op(TEST, RCX, RCX);
    w.op(JE, done);
    columns(1);
    w.op(JMP, one);
    w.bind(done);
  }

  private void columns(int vectors) {
    var position = w.label("position");
    int bytes = lanes * Float.BYTES;
    w.op(LEA, RAX, at(SUMS, RBX, 1));
    w.op(LEA, R9, at(R10, R10, 2));
    w.op(ADD, R9, RAX);
    for (int q = 0; q < TILE; q++) {
      w.op(VBROADCASTSS, weight, at(BASE, ManyLayout.FACTORS + q * Float.BYTES));
      for (int v = 0; v < vectors; v++) {
        w.op(VMULPS, sums[q][v], weight, ScoreTile.third(q, RAX, R9, R10).at(v * bytes));
      }
    }
    w.op(MOV, R8, kept(ManyLayout.VALUE_PANEL));
    w.op(ADD, R8, RBX);
    w.op(LEA, RDX, at(BASE, ManyLayout.WEIGHTS));
    w.op(MOV, R11, kept(ManyLayout.SEEN));
    w.loop(position);
    for (int v = 0; v < vectors; v++) w.op(VMOVUPS, values[v], at(R8, (long) v * bytes));
    for (int q = 0; q < TILE; q++) {
      w.op(VBROADCASTSS, weight, at(RDX, (long) q * ManyLayout.WEIGHT_BYTES));
      for (int v = 0; v < vectors; v++) w.op(VFMADD231PS, sums[q][v], values[v], weight);
    }
    w.op(ADD, R8, R10);
    w.op(ADD, RDX, imm(Float.BYTES));
    w.op(DEC, R11);
    w.op(JNE, position);
    for (int q = 0; q < TILE; q++) {
      for (int v = 0; v < vectors; v++) {
        w.op(VMOVUPS, ScoreTile.third(q, RAX, R9, R10).at(v * bytes), sums[q][v]);
      }
    }
    w.op(ADD, RBX, imm((long) vectors * bytes));
    w.op(SUB, RCX, imm((long) vectors * lanes));
  }
}
