package weft.cpu.kernel.attention;

import static weft.cpu.asm.BaseOp.ADD;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.VMOVUPS;

import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;

/** Queries of many rows as they come. */
record FloatQueries(KernelWriter w) implements ManyRows.Queries {
  @Override
  public void copy(ManyRows rows) {
    Vec x = new Registers(w.isa()).take();
    rows.overQuery(
        () -> {
          w.op(VMOVUPS, x, at(ManyRows.HERE));
          w.op(VMOVUPS, at(ManyRows.OTHER), x);
          w.op(ADD, ManyRows.OTHER, imm(x.bytes()));
        });
  }
}
