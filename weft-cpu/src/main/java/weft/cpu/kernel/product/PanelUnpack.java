package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.VCVTDQ2PS;
import static weft.cpu.asm.VectorOp.VEXTRACTI128;
import static weft.cpu.asm.VectorOp.VINSERTI64X4;
import static weft.cpu.asm.VectorOp.VPMOVSXWD;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.product.PanelRows.COLUMN;
import static weft.cpu.kernel.product.PanelRows.POINTERS;
import static weft.cpu.kernel.product.PanelRows.READ;
import static weft.cpu.kernel.product.PanelRows.SCRATCH;
import static weft.cpu.kernel.product.PanelRows.TO;
import static weft.cpu.kernel.product.PanelRows.VALUES;

import java.util.function.IntFunction;
import weft.cpu.asm.Gpr;
import weft.cpu.asm.Label;
import weft.cpu.asm.Mem;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Place;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.emit.Transpose;
import weft.cpu.kernel.format.BlockCode;
import weft.cpu.kernel.format.BlockHead;
import weft.cpu.kernel.format.LongBlockCode;
import weft.cpu.kernel.format.MinimumsApart;
import weft.cpu.kernel.format.ShortBlockCode;

/**
 * The function that unpacks a {@link Panel}: as many rows as a register has lanes become bytes, a
 * register of each, and change rows for columns. The number of values is a multiple of 32. It takes
 * the kernel's arguments, too, and changes all but the frame's registers.
 */
public final class PanelUnpack {
  private static final Gpr ROW = RAX;
  private static final Gpr SCALES = R9;
  private static final Gpr MINIMUMS = R10;
  private static final Gpr STEPS = R11;

  /** From a row to the same row of the next panel. */
  private static final Gpr PANEL_BYTES = R12;

  /** The same and what was read of the row: where the next panel's like values are. */
  private static final Gpr NEXT = R13;

  /** The function, and the kind of the panel that it leaves. */
  record Function(Label label, Tile.Kind kind) {}

  private final KernelWriter w;
  private final int lanes;
  private final int group;
  private final Vec[] rows;
  private final Vec spare;
  private final Vec t;
  private final BlockCode code;

  private PanelUnpack(KernelWriter w, BlockCode.Format format) {
    this.w = w;
    var registers = new Registers(w.isa());
    lanes = w.isa().vectorBits() / 32;
    group = 4 * lanes;
    rows = registers.take(lanes);
    spare = registers.take();
    t = registers.take();
    code = format.code(w, registers);
  }

  /** Emits the function; the caller has set the masks of {@link BlockCode#masks}. */
  static Function emit(KernelWriter w, BlockCode.Format format) {
    var entry = w.label("unpack");
    w.loop(entry);
    // The numbers that a format is taken apart by are loaded here.
    var unpack = new PanelUnpack(w, format);
    PanelRows.emit(w, unpack.lanes, unpack::once, unpack::rows);
    return new Function(entry, Tile.Kind.of(w.isa(), unpack.code));
  }

  private void once() {
    w.op(IMUL, PANEL_BYTES, at(ARGUMENTS, MatMulArguments.ROW_BYTES), imm(Panel.ROWS));
  }

  private void rows() {
    w.op(LEA, SCALES, at(SCRATCH, COLUMN, 1, Panel.SCALES));
    w.op(LEA, MINIMUMS, at(SCRATCH, COLUMN, 1, Panel.MINIMUMS));
    w.op(XOR, READ.d(), READ.d());
    w.op(MOV, NEXT, PANEL_BYTES);
    switch (code) {
      case LongBlockCode blocks -> longBlocks(blocks);
      case ShortBlockCode blocks -> shortBlocks(blocks);
    }
  }

  private void longBlocks(LongBlockCode blocks) {
    var step = w.label("step");
    w.op(MOV, STEPS, VALUES);
    w.op(SHR, STEPS, imm(8));
    w.loop(step);
    for (int i = 0; i < LongBlockCode.VALUES / group; i++) {
      for (int row = 0; row < lanes; row++) {
        if (isWide()) {
          blocks.bytes64(rows[row], i, place(row));
        } else {
          blocks.bytes32(rows[row], i, place(row));
        }
        turn(rows[row]);
        prefetch(MatMul.LINE * i, Math.min(MatMul.LINE * (i + 1), blocks.blockBytes()));
      }
      storeBytes(i);
    }
    int scales = LongBlockCode.VALUES / blocks.run();
    if (blocks instanceof MinimumsApart apart) {
      realScales(apart);
      minimums(apart);
      w.op(ADD, MINIMUMS, imm(4 * Panel.ROWS * scales));
    } else {
      wholeScales(blocks);
      w.op(ADD, MINIMUMS, imm(Panel.MINIMUMS_STEP));
    }
    w.op(ADD, READ, imm(blocks.blockBytes()));
    w.op(ADD, NEXT, imm(blocks.blockBytes()));
    w.op(ADD, TO, imm(Panel.ROWS * LongBlockCode.VALUES));
    w.op(ADD, SCALES, imm(4 * Panel.ROWS * (scales + 1)));
    w.op(DEC, STEPS);
    w.op(JNE, step);
  }

  /** The scales of a block as whole numbers, minimums as words, and what units of both are. */
  private void wholeScales(LongBlockCode blocks) {
    int scales = LongBlockCode.VALUES / blocks.run();
    for (int first = 0; first < scales; first += lanes) {
      for (int row = 0; row < lanes; row++) {
        var words = rows[row].y();
        blocks.words(words, t.y(), place(row));
        if (first > 0) {
          w.op(VEXTRACTI128, words.x(), words, imm(1));
        }
        var numbers = scales == 8 ? words : rows[row];
        w.op(VPMOVSXWD, numbers, scales == 16 && isWide() ? words : words.x());
        w.op(VCVTDQ2PS, numbers, numbers);
        if (isWide() && blocks.hasMinimums()) {
          w.op(VINSERTI64X4, rows[row], rows[row], t.y(), imm(1));
        }
      }
      var columns = Transpose.emit(w, rows, spare);
      for (int i = 0; i < Math.min(lanes, scales); i++) {
        w.store(at(SCALES, 4 * Panel.ROWS * (first + i)), columns[i]);
      }
      if (isWide() && blocks.hasMinimums()) {
        storePairs(columns, scales);
      }
    }
    if (!isWide() && blocks.hasMinimums()) {
      for (int row = 0; row < lanes; row++) {
        blocks.words(t, rows[row], place(row));
      }
      storePairs(Transpose.emit(w, rows, spare), 0);
    }
    storeHalves(at(SCALES, 4 * Panel.ROWS * scales), blocks.unit());
    if (blocks.hasMinimums()) {
      storeHalves(at(MINIMUMS, 4 * Panel.ROWS * Panel.PAIRS), blocks.minimumUnit());
    }
  }

  private void storePairs(Vec[] columns, int first) {
    for (int pair = 0; pair < Panel.PAIRS; pair++) {
      w.store(at(MINIMUMS, 4 * Panel.ROWS * pair), columns[first + pair]);
    }
  }

  /** The half floats at a place of each row's block. */
  private void storeHalves(Mem to, int offset) {
    w.halves(rows[0], rows[1], row -> place(row).at(offset));
    w.store(to, rows[0]);
  }

  /** The scales of a block as what they stand for, so that a unit is one. */
  private void realScales(MinimumsApart blocks) {
    int scales = LongBlockCode.VALUES / blocks.run();
    for (int first = 0; first < scales; first += lanes) {
      for (int row = 0; row < lanes; row++) {
        if (isWide()) {
          blocks.scales16(rows[row], place(row));
        } else if (first == 0) {
          blocks.scales8(rows[row], t, place(row));
        } else {
          blocks.scales8(t, rows[row], place(row));
        }
      }
      var columns = Transpose.emit(w, rows, spare);
      for (int i = 0; i < lanes; i++) {
        w.store(at(SCALES, 4 * Panel.ROWS * (first + i)), columns[i]);
      }
    }
    w.everywhere(rows[0], "one unit", Float.floatToRawIntBits(1));
    w.store(at(SCALES, 4 * Panel.ROWS * scales), rows[0]);
  }

  private void minimums(MinimumsApart blocks) {
    for (int first = 0; first < LongBlockCode.VALUES / blocks.run(); first += lanes) {
      for (int row = 0; row < lanes; row++) {
        if (isWide()) {
          blocks.minimums16(rows[row], place(row));
        } else if (first == 0) {
          blocks.minimums8(rows[row], t, place(row));
        } else {
          blocks.minimums8(t, rows[row], place(row));
        }
      }
      var columns = Transpose.emit(w, rows, spare);
      for (int i = 0; i < lanes; i++) {
        w.store(at(MINIMUMS, 4 * Panel.ROWS * (first + i)), columns[i]);
      }
    }
  }

  private boolean isWide() {
    return lanes == 16;
  }

  private void shortBlocks(ShortBlockCode blocks) {
    var step = w.label("step");
    var alone = w.label("alone");
    w.op(MOV, STEPS, VALUES);
    w.op(SHR, STEPS, imm(isWide() ? 6 : 5));
    w.op(JE, alone);
    w.loop(step);
    for (int row = 0; row < lanes; row++) {
      var a = place(row);
      if (isWide()) {
        blocks.bytes64(rows[row], a, a.plus(blocks.blockBytes()));
      } else {
        blocks.bytes32(rows[row], a);
      }
      turn(rows[row]);
      prefetch(0, group / ShortBlockCode.VALUES * blocks.blockBytes());
    }
    storeBytes(0);
    int inStep = group / ShortBlockCode.VALUES;
    for (int block = 0; block < inStep; block++) {
      storeScales(blocks, block);
    }
    w.op(ADD, READ, imm(inStep * blocks.blockBytes()));
    w.op(ADD, NEXT, imm(inStep * blocks.blockBytes()));
    w.op(ADD, TO, imm(Panel.ROWS * group));
    w.op(ADD, SCALES, imm(4 * Panel.ROWS * inStep));
    w.op(ADD, MINIMUMS, imm(4 * Panel.ROWS * inStep));
    w.op(DEC, STEPS);
    w.op(JNE, step);
    w.bind(alone);
    if (isWide()) {
      blockAlone(blocks);
    }
  }

  /** A last block without a second is read twice and counts once. */
  private void blockAlone(ShortBlockCode blocks) {
    var done = w.label("done");
    w.op(TEST, VALUES.d(), imm(ShortBlockCode.VALUES));
    w.op(JE, done);
    for (int row = 0; row < lanes; row++) {
      var a = place(row);
      blocks.bytes64(rows[row], a, a);
    }
    storeBytes(0);
    storeScales(blocks, 0);
    w.op(ADD, READ, imm(blocks.blockBytes()));
    w.bind(done);
  }

  /** Bytes that a tile meets as signed ones lose their zero. */
  private void turn(Vec bytes) {
    if (RunDot.meetsSigned(w.isa(), code.highest())) {
      ByteDot.loseZero(w, bytes, code.zero());
    }
  }

  /** Where the current values of a row are, by way of rax. */
  private Place place(int row) {
    w.op(MOV, ROW, at(POINTERS, 8 * row));
    return Place.of(ROW, READ, 1);
  }

  /**
   * Asks for lines of the same values in the next panel, of the row whose place is in rax: the rows
   * of a panel are more streams than the processor foresees. Weights that come from memory meet 24
   * tokens a quarter to a half faster so, and 512 as fast.
   */
  private void prefetch(int from, int to) {
    for (int line = from; line < to; line += MatMul.LINE) {
      w.op(PREFETCHT1, at(ROW, NEXT, 1, line));
    }
  }

  private void storeBytes(int step) {
    var columns = Transpose.emit(w, rows, spare);
    for (int i = 0; i < columns.length; i++) {
      w.store(at(TO, Panel.ROWS * (group * step + 4 * i)), columns[i]);
    }
  }

  private void storeScales(ShortBlockCode blocks, int block) {
    IntFunction<Place> places = row -> place(row).plus(block * blocks.blockBytes());
    blocks.head().scale().ofRows(rows[0], rows[1], places);
    w.store(at(SCALES, 4 * Panel.ROWS * block), rows[0]);
    if (blocks.head() instanceof BlockHead.Affine head) {
      head.minimum().ofRows(rows[0], rows[1], places);
      w.store(at(MINIMUMS, 4 * Panel.ROWS * block), rows[0]);
    }
  }
}
