package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.VMOVSS;
import static weft.cpu.kernel.product.PanelRows.POINTERS;
import static weft.cpu.kernel.product.PanelRows.READ;
import static weft.cpu.kernel.product.PanelRows.TO;
import static weft.cpu.kernel.product.PanelRows.VALUES;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Label;
import weft.cpu.asm.Mem;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.emit.Transpose;
import weft.cpu.kernel.format.FloatCode;

/**
 * The function that unpacks a {@link Panel} of floats: as many rows as a register has lanes, as
 * many values of each, change rows for columns.
 */
public final class FloatPanelUnpack {
  private static final Gpr ROW = RAX;
  private static final Gpr STEPS = R11;

  private final KernelWriter w;
  private final FloatCode code;
  private final int lanes;
  private final Vec[] rows;
  private final Vec spare;

  private FloatPanelUnpack(KernelWriter w, FloatCode code) {
    this.w = w;
    this.code = code;
    var registers = new Registers(w.isa());
    lanes = w.isa().vectorBits() / 32;
    rows = registers.take(lanes);
    spare = registers.take();
  }

  static Label emit(KernelWriter w, FloatCode code) {
    var unpack = new FloatPanelUnpack(w, code);
    return PanelRows.emit(w, unpack.lanes, unpack::rows);
  }

  private void rows() {
    var step = w.label("step");
    var rest = w.label("rest");
    var one = w.label("one");
    var done = w.label("done");
    w.op(XOR, READ.d(), READ.d());
    w.op(MOV, STEPS, VALUES);
    w.op(SHR, STEPS, imm(Integer.numberOfTrailingZeros(lanes)));
    w.op(JE, rest);
    w.loop(step);
    for (int row = 0; row < lanes; row++) {
      code.load(w, rows[row], place(row));
    }
    var columns = Transpose.emit(w, rows, spare);
    for (int i = 0; i < lanes; i++) {
      w.store(at(TO, 4 * Panel.ROWS * i), columns[i]);
    }
    w.op(ADD, READ, imm(lanes * code.bytes()));
    w.op(ADD, TO, imm(4 * Panel.ROWS * lanes));
    w.op(DEC, STEPS);
    w.op(JNE, step);

    w.note("what is left, value by value");
    w.bind(rest);
    w.op(MOV, STEPS, VALUES);
    w.op(AND, STEPS, imm(lanes - 1));
    w.op(JE, done);
    w.bind(one);
    for (int row = 0; row < lanes; row++) {
      code.loadOne(w, spare, place(row));
      w.op(VMOVSS, at(TO, 4 * row), spare.x());
    }
    w.op(ADD, READ, imm(code.bytes()));
    w.op(ADD, TO, imm(4 * Panel.ROWS));
    w.op(DEC, STEPS);
    w.op(JNE, one);
    w.bind(done);
  }

  private Mem place(int row) {
    w.op(MOV, ROW, at(POINTERS, 8 * row));
    return at(ROW, READ, 1);
  }
}
