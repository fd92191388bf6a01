package weft.cpu.kernel;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Label;
import weft.cpu.asm.Vec;

/**
 * The function that unpacks a {@link Panel}: sixteen rows at a time become bytes, 64 values of
 * each, and change rows for columns.
 *
 * <p>It takes the scratch memory in rcx and the number of values, a multiple of 32, in rdx, leaves
 * the panel's row pointers behind what it read, and changes all but the frame's registers.
 */
final class PanelUnpack {
  private static final int HALF = 16;
  private static final int GROUP = 64;

  private static final Gpr SCRATCH = RCX;
  private static final Gpr VALUES = RDX;
  private static final Gpr ROW = RAX;
  private static final Gpr POINTERS = RSI;
  private static final Gpr BYTES = R8;
  private static final Gpr SCALES = R9;
  private static final Gpr MINIMUMS = R10;
  private static final Gpr STEPS = R11;
  private static final Gpr READ = RBX;
  private static final Gpr HALVES = RBP;

  /** The function, and the kind of the panel that it leaves. */
  record Function(Label label, Tile.Kind kind) {}

  private final KernelWriter w;
  private final Vec[] rows;
  private final Vec spare;
  private final BlockCode code;

  private PanelUnpack(KernelWriter w, BlockCode.Format format) {
    this.w = w;
    var registers = new Registers(w.isa());
    rows = registers.take(HALF);
    spare = registers.take();
    code = format.code(w, registers);
  }

  /** Emits the function; the caller has set the masks of {@link BlockCode#masks}. */
  static Function emit(KernelWriter w, String name, BlockCode.Format format) {
    var entry = w.label(name);
    w.loop(entry);
    var unpack = new PanelUnpack(w, format);
    unpack.emit();
    return new Function(entry, Tile.Kind.of(unpack.code));
  }

  private void emit() {
    var half = w.label("half");
    w.op(LEA, POINTERS, at(SCRATCH, Panel.POINTERS));
    w.op(MOV, HALVES.d(), imm(0));
    w.bind(half);
    w.op(LEA, BYTES, at(SCRATCH, HALVES, 1, Panel.BYTES));
    w.op(LEA, SCALES, at(SCRATCH, HALVES, 1, Panel.SCALES));
    w.op(LEA, MINIMUMS, at(SCRATCH, HALVES, 1, Panel.MINIMUMS));
    w.op(XOR, READ.d(), READ.d());
    switch (code) {
      case LongBlockCode blocks -> longBlocks(blocks);
      case ShortBlockCode blocks -> shortBlocks(blocks);
    }
    for (int row = 0; row < HALF; row++) {
      w.op(ADD, at(POINTERS, 8 * row), READ);
    }
    w.op(ADD, POINTERS, imm(8 * HALF));
    w.op(ADD, HALVES, imm(4 * HALF));
    w.op(CMP, HALVES, imm(4 * Panel.ROWS));
    w.op(JB, half);
    w.op(RET);
  }

  private void longBlocks(LongBlockCode blocks) {
    var step = w.label("step");
    w.op(MOV, STEPS, VALUES);
    w.op(SHR, STEPS, imm(8));
    w.loop(step);
    for (int group = 0; group < LongBlockCode.VALUES / GROUP; group++) {
      for (int row = 0; row < HALF; row++) {
        blocks.bytes64(rows[row], group, place(row));
      }
      storeBytes(group);
    }
    for (int row = 0; row < HALF; row++) {
      blocks.scales16(rows[row], place(row));
    }
    var columns = Transpose.emit(w, rows, spare);
    int scales = LongBlockCode.VALUES / blocks.run();
    for (int i = 0; i < scales; i++) {
      w.store(at(SCALES, 4 * Panel.ROWS * i), columns[i]);
    }
    if (blocks.hasMinimums()) {
      for (int i = 0; i < HALF - scales; i++) {
        w.store(at(MINIMUMS, 4 * Panel.ROWS * i), columns[scales + i]);
      }
      w.op(ADD, MINIMUMS, imm(4 * Panel.ROWS * (HALF - scales)));
    }
    w.op(ADD, READ, imm(blocks.blockBytes()));
    w.op(ADD, BYTES, imm(Panel.ROWS * LongBlockCode.VALUES));
    w.op(ADD, SCALES, imm(4 * Panel.ROWS * scales));
    w.op(DEC, STEPS);
    w.op(JNE, step);
  }

  private void shortBlocks(ShortBlockCode blocks) {
    var step = w.label("step");
    var alone = w.label("alone");
    var done = w.label("done");
    w.op(MOV, STEPS, VALUES);
    w.op(SHR, STEPS, imm(6));
    w.op(JE, alone);
    w.loop(step);
    for (int row = 0; row < HALF; row++) {
      var a = place(row);
      blocks.bytes64(rows[row], a, a.plus(blocks.blockBytes()));
    }
    storeBytes(0);
    storeScales(blocks, 0);
    storeScales(blocks, 1);
    w.op(ADD, READ, imm(2 * blocks.blockBytes()));
    w.op(ADD, BYTES, imm(Panel.ROWS * GROUP));
    w.op(ADD, SCALES, imm(2 * 4 * Panel.ROWS));
    w.op(DEC, STEPS);
    w.op(JNE, step);

    w.note("a last block without a second is read twice and counts once");
    w.bind(alone);
    w.op(TEST, VALUES.d(), imm(ShortBlockCode.VALUES));
    w.op(JE, done);
    for (int row = 0; row < HALF; row++) {
      var a = place(row);
      blocks.bytes64(rows[row], a, a);
    }
    storeBytes(0);
    storeScales(blocks, 0);
    w.op(ADD, READ, imm(blocks.blockBytes()));
    w.bind(done);
  }

  /** Where the current values of a row are, by way of rax. */
  private Place place(int row) {
    w.op(MOV, ROW, at(POINTERS, 8 * row));
    return Place.of(ROW, READ, 1);
  }

  private void storeBytes(int group) {
    var columns = Transpose.emit(w, rows, spare);
    for (int i = 0; i < columns.length; i++) {
      w.store(at(BYTES, Panel.ROWS * (GROUP * group + 4 * i)), columns[i]);
    }
  }

  private void storeScales(ShortBlockCode blocks, int block) {
    blocks.scalesOfRows(rows[0], rows[1], row -> place(row).plus(block * blocks.blockBytes()));
    w.store(at(SCALES, 4 * Panel.ROWS * block), rows[0]);
  }
}
