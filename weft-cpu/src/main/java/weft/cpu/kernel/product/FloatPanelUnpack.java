package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.VMOVSS;

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
 *
 * <p>It takes the scratch memory in rcx and the number of values in rdx, and leaves the panel's row
 * pointers behind what it read.
 */
public final class FloatPanelUnpack {
  private static final Gpr SCRATCH = RCX;
  private static final Gpr VALUES = RDX;
  private static final Gpr ROW = RAX;
  private static final Gpr POINTERS = RSI;
  private static final Gpr FLOATS = R8;
  private static final Gpr STEPS = R11;
  private static final Gpr READ = RBX;
  private static final Gpr COLUMN = RBP;

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
    var entry = w.label("unpack");
    w.loop(entry);
    new FloatPanelUnpack(w, code).emit();
    return entry;
  }

  private void emit() {
    var next = w.label("rows");
    var step = w.label("step");
    var rest = w.label("rest");
    var one = w.label("one");
    var done = w.label("done");
    w.op(LEA, POINTERS, at(SCRATCH, Panel.POINTERS));
    w.op(XOR, COLUMN.d(), COLUMN.d());
    w.bind(next);
    w.op(LEA, FLOATS, at(SCRATCH, COLUMN, 1, Panel.BYTES));
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
      w.store(at(FLOATS, 4 * Panel.ROWS * i), columns[i]);
    }
    w.op(ADD, READ, imm(lanes * code.bytes()));
    w.op(ADD, FLOATS, imm(4 * Panel.ROWS * lanes));
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
      w.op(VMOVSS, at(FLOATS, 4 * row), spare.x());
    }
    w.op(ADD, READ, imm(code.bytes()));
    w.op(ADD, FLOATS, imm(4 * Panel.ROWS));
    w.op(DEC, STEPS);
    w.op(JNE, one);
    w.bind(done);

    for (int row = 0; row < lanes; row++) {
      w.op(ADD, at(POINTERS, 8 * row), READ);
    }
    w.op(ADD, POINTERS, imm(8 * lanes));
    w.op(ADD, COLUMN, imm(4 * lanes));
    w.op(CMP, COLUMN, imm(4 * Panel.ROWS));
    w.op(JB, next);
    w.op(RET);
  }

  private Mem place(int row) {
    w.op(MOV, ROW, at(POINTERS, 8 * row));
    return at(ROW, READ, 1);
  }
}
