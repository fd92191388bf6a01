package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.emit.KernelWriter.FROM;
import static weft.cpu.kernel.emit.KernelWriter.SCRATCH;
import static weft.cpu.kernel.emit.KernelWriter.TO;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Mask;
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
import weft.cpu.kernel.product.Tile.Kind;
import weft.cpu.kernel.product.Tile.Minimums;

/**
 * Up to 16 activation rows against packed rows by the matrix unit of AMX. The weights are the first
 * factor, 16 rows as they lie once they are bytes, and the tokens, laid side by side before, are
 * the second: so no row of weights changes places with a column, which few tokens would not pay
 * for.
 *
 * <p>The unit leaves the sums of a run in a tile; by way of memory they are scaled and added up as
 * {@link Tile} does it, in the same order, to the same bits. That takes two thirds of the time: the
 * unit's loads, products and stores, and the additions behind them, hardly overlap (of 158 ns for
 * 16 rows of 256 values in Q4_K on an Emerald Rapids 57 are loads and products, 48 stores, 51
 * additions). So prompts, which {@link Tile} reads as quickly, are not for it.
 */
final class AmxFew {
  private static final Mask THESE_ROWS = Tile.LOWER_ROWS;
  private static final Gpr ROW = FROM;
  private static final Gpr POINTER = RAX;
  private static final Gpr X = RBX;
  private static final Gpr READ = RBP;
  private static final Gpr GROUP_BYTES = R8;
  private static final Gpr NEXT = R9;
  private static final Gpr BYTE_STEP = R10;
  private static final Gpr LINE_STEP = R11;
  private static final Gpr STEPS = R12;
  private static final int PRODUCT_BYTES = AmxLayout.ROWS * AmxLayout.LINE;

  private final KernelWriter w;
  private final BlockCode code;
  private final Kind kind;
  private final AmxLayout layout;

  /** What each row came to, of all tokens. */
  private final Vec[] sums;

  private final Vec[] words;
  private final Vec xScale;
  private final Vec xSum;
  private final Vec scale;
  private final Vec t;

  private AmxFew(KernelWriter w, BlockCode.Format format) {
    this.w = w;
    var registers = new Registers(w.isa());
    code = format.code(w, registers);
    kind = Kind.of(w.isa(), code);
    layout = AmxLayout.of(kind);
    sums = registers.take(AmxLayout.ROWS);
    t = registers.take();
    scale = registers.take();
    xScale = registers.take();
    xSum = registers.take();
    // They have met the minimums before any of the others is needed.
    words = kind.minimums() == Minimums.WORDS ? new Vec[] {t, scale, xScale, xSum} : new Vec[0];
  }

  /** Whether rows of so many values are whole steps, and their tokens fit in the scratch memory. */
  static boolean takes(long k) {
    return k % AmxLayout.SHORT_STEP == 0 && k <= FewLayout.MOST_VALUES;
  }

  static void emit(KernelWriter w, String name, BlockCode.Format format) {
    w.begin(name);
    var done = w.label("done");
    w.op(CMP, FROM, TO);
    w.op(JGE, done);
    BlockCode.masks(w);
    new AmxFew(w, format).groups();
    w.bind(done);
    w.op(TILERELEASE);
    w.end();
  }

  /** Sixteen rows after the other, and what is left of them at the end. */
  private void groups() {
    var group = w.label("group");
    var step = w.label("step");
    new AmxPack(w, layout, kind.sums(), sums, t).emit();
    new AmxConfig(AmxLayout.ROWS, kind.run(), AmxLayout.TOKENS).load(w);
    w.op(IMUL, GROUP_BYTES, at(ARGUMENTS, MatMulArguments.ROW_BYTES), imm(AmxLayout.ROWS));
    w.op(MOV, BYTE_STEP.d(), imm(AmxLayout.BYTE_ROW));
    w.op(MOV, LINE_STEP.d(), imm(AmxLayout.LINE));
    w.loop(group);
    pointers();
    w.op(LEA, X, at(SCRATCH, AmxLayout.BLOCKS));
    w.op(XOR, READ.d(), READ.d());
    w.op(MOV, NEXT, GROUP_BYTES);
    w.op(MOV, STEPS, at(ARGUMENTS, MatMulArguments.K));
    w.op(SHR, STEPS, imm(Integer.numberOfTrailingZeros(layout.step())));
    for (int row = 0; row < sums.length; row++) {
      w.zero(sums[row]);
      if (layout.isLong()) w.store(total(row), sums[row]);
    }
    w.loop(step);
    int read =
        switch (code) {
          case LongBlockCode blocks -> longStep(blocks);
          case ShortBlockCode blocks -> shortStep(blocks);
        };
    w.op(ADD, READ, imm(read));
    w.op(ADD, NEXT, imm(read));
    w.op(DEC, STEPS);
    w.op(JNE, step);
    results();
    w.op(ADD, ROW, imm(AmxLayout.ROWS));
    w.op(CMP, ROW, TO);
    w.op(JL, group);
  }

  /** Where each row of the group begins, and which of them there are. */
  private void pointers() {
    w.op(MOV, POINTER, at(ARGUMENTS, MatMulArguments.ROW_BYTES));
    w.op(MOV, R13, POINTER);
    w.op(IMUL, POINTER, ROW);
    w.op(ADD, POINTER, at(ARGUMENTS, MatMulArguments.WEIGHTS));
    w.op(MOV, R14, TO);
    w.op(SUB, R14, ROW);
    w.op(MOV, R15.d(), imm(-1));
    w.op(BZHI, R15.d(), R15.d(), R14.d());
    w.op(KMOVW, THESE_ROWS, R15.d());
    w.op(XOR, R15.d(), R15.d());
    w.note("the last row stands in for those behind it");
    for (int row = 0; row < AmxLayout.ROWS; row++) {
      w.op(MOV, at(SCRATCH, AmxLayout.POINTERS + 8 * row), POINTER);
      w.op(DEC, R14);
      w.op(CMOVLE, R13, R15);
      w.op(ADD, POINTER, R13);
    }
  }

  /** Where the current values of a row are, by way of rax. */
  private Place place(int row) {
    w.op(MOV, POINTER, at(SCRATCH, AmxLayout.POINTERS + 8 * row));
    return Place.of(POINTER, READ, 1);
  }

  /** Asks for lines of the same values in the next group, of the row whose place is in rax. */
  private void prefetch(int bytes) {
    for (int line = 0; line < bytes; line += AmxLayout.LINE) {
      w.op(PREFETCHT1, at(POINTER, NEXT, 1, line));
    }
  }

  private void storeBytes(Vec bytes, int row, int value) {
    if (!code.hasMinimums()) {
      ByteDot.loseZero(w, bytes, code.zero());
    }
    w.store(at(SCRATCH, AmxLayout.BYTES + AmxLayout.BYTE_ROW * row + value), bytes);
  }

  private static Mem total(int row) {
    return at(SCRATCH, AmxLayout.TOTALS + AmxLayout.LINE * row);
  }

  private static Mem scale(int row, int run) {
    return at(SCRATCH, AmxLayout.SCALES + AmxLayout.LINE * row + 4 * run).each();
  }

  private static Mem minimum(int row, int run) {
    return at(SCRATCH, AmxLayout.MINIMUMS + AmxLayout.LINE * row + 4 * run).each();
  }

  /** A block of each row; leaves its bytes. */
  private int longStep(LongBlockCode blocks) {
    for (int row = 0; row < AmxLayout.ROWS; row++) {
      w.note("row " + row);
      var block = place(row);
      prefetch(blocks.blockBytes());
      for (int i = 0; i < LongBlockCode.VALUES / 64; i++) {
        blocks.bytes64(t, i, block);
        storeBytes(t, row, 64 * i);
      }
      blocks.panel16(t, scale, block);
      w.store(at(SCRATCH, AmxLayout.SCALES + AmxLayout.LINE * row), t);
      if (blocks instanceof MinimumsApart apart) {
        apart.minimums16(t, block);
        w.store(at(SCRATCH, AmxLayout.MINIMUMS + AmxLayout.LINE * row), t);
      }
    }
    beginBlock();
    int runs = kind.shared() / kind.run();
    for (int run = 0; run < runs; run++) {
      multiply(run, kind.run() * run, layout.x(kind.run() * run));
    }
    for (int run = 0; run < runs; run++) {
      add(run);
    }
    w.load(xScale, at(X, layout.scale()));
    for (int row = 0; row < sums.length; row++) {
      w.op(VFMADD213PS, sums[row], xScale, total(row));
      w.store(total(row), sums[row]);
    }
    w.op(ADD, X, imm(layout.blockBytes()));
    return blocks.blockBytes();
  }

  /** The sums of a block begin with zero, or with its minimums against the sums of the tokens. */
  private void beginBlock() {
    for (int pair = 0; pair < words.length; pair++) {
      w.load(words[pair], at(X, layout.sum(pair)));
    }
    for (int row = 0; row < sums.length; row++) {
      w.zero(sums[row]);
      if (words.length == 0) continue;
      int behind = LongBlockCode.VALUES / kind.run();
      for (int pair = 0; pair < words.length; pair++) {
        w.op(VPDPWSSD, sums[row], words[pair], scale(row, behind + pair));
      }
      w.op(VCVTDQ2PS, sums[row], sums[row]);
      w.op(VMULPS, sums[row], sums[row], scale(row, behind + words.length));
    }
  }

  /** What a run came to joins the sums, by the scales of the rows. */
  private void add(int run) {
    boolean hasMinimums = kind.minimums() == Minimums.FLOATS;
    if (hasMinimums) {
      w.op(VCVTDQ2PS, xSum, at(X, layout.sum(run)));
    }
    for (int row = 0; row < sums.length; row++) {
      w.op(VCVTDQ2PS, t, product(run, row));
      w.op(VFMADD231PS, sums[row], t, scale(row, run));
      if (hasMinimums) {
        w.op(VFMADD231PS, sums[row], xSum, minimum(row, run));
      }
    }
  }

  /** Two blocks of each row; leaves their bytes. */
  private int shortStep(ShortBlockCode blocks) {
    int inStep = layout.step() / layout.shared();
    for (int row = 0; row < AmxLayout.ROWS; row++) {
      var block = place(row);
      prefetch(1);
      blocks.bytes64(t, block, block.plus(blocks.blockBytes()));
      storeBytes(t, row, 0);
    }
    for (int i = 0; i < inStep; i++) {
      int from = i * blocks.blockBytes();
      blocks.head().scale().ofRows(t, scale, row -> place(row).plus(from));
      w.store(at(SCRATCH, AmxLayout.SCALES + AmxLayout.LINE * i), t);
      if (blocks.head() instanceof BlockHead.Affine head) {
        head.minimum().ofRows(t, scale, row -> place(row).plus(from));
        w.store(at(SCRATCH, AmxLayout.MINIMUMS + AmxLayout.LINE * i), t);
      }
    }
    for (int i = 0; i < inStep; i++) {
      multiply(i, layout.shared() * i, layout.blockBytes() * i);
    }
    for (int i = 0; i < inStep; i++) {
      addShort(i);
    }
    w.op(ADD, X, imm(inStep * layout.blockBytes()));
    return inStep * blocks.blockBytes();
  }

  private void addShort(int block) {
    boolean hasMinimums = kind.minimums() == Minimums.FLOATS;
    w.load(xScale, at(X, layout.blockBytes() * block + layout.scale()));
    if (hasMinimums) {
      w.load(xSum, at(X, layout.blockBytes() * block + layout.sum(0)));
    }
    for (int row = 0; row < sums.length; row++) {
      w.op(VMULPS, scale, xScale, scale(block, row));
      w.op(VCVTDQ2PS, t, product(block, row));
      w.op(VFMADD231PS, sums[row], t, scale);
      if (hasMinimums) {
        w.op(VFMADD231PS, sums[row], xSum, minimum(block, row));
      }
    }
  }

  /** A run of all rows, from a value on, against all tokens, of which it is at {@code x}. */
  private void multiply(int run, int value, int x) {
    var result = AmxConfig.result(run);
    int to = AmxLayout.PRODUCTS + PRODUCT_BYTES * run;
    w.op(TILELOADD, AmxConfig.second(run), at(X, LINE_STEP, 1, x));
    w.op(TILELOADD, AmxConfig.first(run), at(SCRATCH, BYTE_STEP, 1, AmxLayout.BYTES + value));
    w.op(TILEZERO, result);
    w.op(TDPBSSD, result, AmxConfig.first(run), AmxConfig.second(run));
    w.op(TILESTORED, at(SCRATCH, LINE_STEP, 1, to), result);
  }

  private static Mem product(int run, int row) {
    int from = AmxLayout.PRODUCTS + PRODUCT_BYTES * run;
    return at(SCRATCH, from + AmxLayout.LINE * row);
  }

  /** Rows change for tokens, whose results go to their own places. */
  private void results() {
    var written = w.label("written");
    w.op(MOV, R13, at(ARGUMENTS, MatMulArguments.OUT));
    w.op(LEA, R13, at(R13, ROW, 4));
    w.op(MOV, R14, at(ARGUMENTS, MatMulArguments.TOKENS));
    var columns = Transpose.emit(w, sums, t);
    for (var column : columns) {
      w.op(VMOVUPS, at(R13).merging(THESE_ROWS), column);
      w.op(ADD, R13, at(ARGUMENTS, MatMulArguments.OUT_BYTES));
      w.op(DEC, R14);
      w.op(JLE, written);
    }
    w.bind(written);
  }
}
