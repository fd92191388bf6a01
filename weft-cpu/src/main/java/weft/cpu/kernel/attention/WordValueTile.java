package weft.cpu.kernel.attention;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.attention.ManyLayout.TILE;
import static weft.cpu.kernel.attention.ManyLayout.kept;
import static weft.cpu.kernel.attention.ValueTile.SUMS;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.emit.WordDot;

/**
 * The twin of {@link ValueTile} for words: pairs of positions, then one scale a column. Weights and
 * what they are to be multiplied by lie in an area, from a register.
 */
public final class WordValueTile {
  private final KernelWriter w;
  private final Gpr area;
  private final int lanes;
  private final int most;
  private final Vec[][] sums;
  private final Vec[] values;
  private final Vec weight;
  private final WordDot dot;

  WordValueTile(KernelWriter w, Gpr area) {
    this.w = w;
    this.area = area;
    lanes = w.isa().vectorBits() / Float.SIZE;
    most = ManyLayout.vectors(w.isa());
    var registers = new Registers(w.isa());
    sums = registers.take(TILE, most);
    values = registers.take(most);
    weight = registers.take();
    dot = WordDot.of(w, registers, weight);
  }

  void emit() {
    var many = w.label("many");
    var one = w.label("one");
    var done = w.label("summed");
    w.note("rcx = columns left, rbx = bytes before them, r10 = from query to query, pair to pair");
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
    var pair = w.label("pair");
    int bytes = lanes * Float.BYTES;
    for (var sum : sums) for (int v = 0; v < vectors; v++) w.zero(sum[v]);
    w.op(MOV, R8, kept(ManyLayout.VALUE_PANEL));
    w.op(ADD, R8, RBX);
    w.op(LEA, RDX, at(area, ManyLayout.WEIGHTS));
    w.note("r11 = pairs of the vectors that scores have");
    w.op(MOV, R11, WordScoreTile.VECTORS);
    w.op(SHL, R11, imm(Integer.numberOfTrailingZeros(lanes / 2)));
    w.loop(pair);
    for (int v = 0; v < vectors; v++) w.op(VMOVUPS, values[v], at(R8, (long) v * bytes));
    for (int q = 0; q < TILE; q++) {
      w.op(VPBROADCASTD, weight, at(RDX, (long) q * ManyLayout.WEIGHT_BYTES));
      for (int v = 0; v < vectors; v++) dot.add(sums[q][v], values[v], weight);
    }
    w.op(ADD, R8, R10);
    w.op(ADD, RDX, imm(2 * Short.BYTES));
    w.op(DEC, R11);
    w.op(JNE, pair);
    join(vectors, bytes);
    w.op(ADD, RBX, imm((long) vectors * bytes));
    w.op(SUB, RCX, imm((long) vectors * lanes));
  }

  /** The sums of the panel, scaled, join those before them. */
  private void join(int vectors, int bytes) {
    var factor = values[0];
    w.op(LEA, RAX, at(SUMS, RBX, 1));
    w.op(LEA, R9, at(R10, R10, 2));
    w.op(ADD, R9, RAX);
    w.op(IMUL, R8, at(ARGUMENTS, AttendArguments.VALUE_DIM), imm(ManyLayout.VALUE_UNITS_AT));
    w.op(ADD, R8, kept(ManyLayout.VALUE_PANEL));
    w.op(ADD, R8, RBX);
    for (int q = 0; q < TILE; q++) {
      var before = ScoreTile.third(q, RAX, R9, R10);
      w.op(VBROADCASTSS, weight, at(area, ManyLayout.SHARES + q * Float.BYTES));
      for (int v = 0; v < vectors; v++) {
        var sum = sums[q][v];
        w.op(VCVTDQ2PS, sum, sum);
        w.op(VMULPS, sum, sum, weight);
        w.op(VMULPS, sum, sum, at(R8, (long) v * bytes));
      }
      w.op(VBROADCASTSS, factor, at(area, ManyLayout.FACTORS + q * Float.BYTES));
      for (int v = 0; v < vectors; v++) {
        w.op(VFMADD231PS, sums[q][v], factor, before.at(v * bytes));
        w.op(VMOVUPS, before.at(v * bytes), sums[q][v]);
      }
    }
  }
}
