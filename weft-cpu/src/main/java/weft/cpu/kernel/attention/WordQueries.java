package weft.cpu.kernel.attention;

import static weft.cpu.asm.BaseOp.ADD;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;

import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.emit.WordScale;

/** Queries of many rows as words, each under a scale of its own. */
record WordQueries(KernelWriter w) implements ManyRows.Queries {
  /** For vpermq: the first and the third quarter side by side. */
  private static final int EVEN_QUARTERS = 0b10_00;

  @Override
  public void copy(ManyRows rows) {
    var registers = new Registers(w.isa());
    var x = registers.take();
    var unit = registers.take();
    var levelsOf = registers.take();
    w.zero(unit);
    rows.overQuery(
        () -> {
          w.op(VMOVUPS, x, at(ManyRows.HERE));
          w.op(VFMADD231PS, unit, x, x);
        });
    w.everyLane(VADDPS, unit, x);
    new WordScale(w).emit(unit, levelsOf, x);
    w.op(VMOVSS, at(ManyRows.STATE, ManyLayout.STATE_UNIT), unit.x());
    rows.overQuery(
        () -> {
          w.op(VMULPS, x, levelsOf, at(ManyRows.HERE));
          w.op(VCVTPS2DQ, x, x);
          if (x.bits() == 512) {
            w.op(VPMOVDW, at(ManyRows.OTHER), x);
          } else {
            w.op(VPACKSSDW, x, x, x);
            w.op(VPERMQ, x, x, imm(EVEN_QUARTERS));
            w.op(VMOVDQU, at(ManyRows.OTHER), x.x());
          }
          w.op(ADD, ManyRows.OTHER, imm(x.bytes() / 2));
        });
  }
}
