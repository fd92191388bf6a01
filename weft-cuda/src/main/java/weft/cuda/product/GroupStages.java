package weft.cuda.product;

import static weft.cuda.ptx.Imm.imm;
import static weft.cuda.ptx.Imm.real;
import static weft.cuda.ptx.Imm.wide;

import java.util.List;
import java.util.stream.Stream;
import weft.cuda.ptx.Compare;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.B64;
import weft.cuda.ptx.Reg.F32;
import weft.cuda.ptx.Reg.Pred;
import weft.cuda.ptx.TensorElement;

/**
 * Two factors on their way through shared memory to the tensor cores of compute capability 9.0,
 * which four warps use together ({@code wgmma}): rows of the one, 64 for each of a block's two
 * groups of four warps, and rows of the other, which are the sums' columns, {@value #DEPTH} values
 * deep at a time. Tensor cores read both themselves, while threads copy what comes some stages
 * later: one step is multiplied while the next is waited for, so that tensor cores need not wait
 * for threads.
 *
 * <p>Rows of a stage are 128 bytes. Of their eight sixteens, the i-th of row r lies at i xor r % 8,
 * so that the same sixteen of eight rows is in all banks.
 *
 * @param columns rows of the other factor: 32, 64, 128 or 256
 * @param count stages that there are
 * @param steps that there are to multiply
 */
record GroupStages(PtxWriter w, TensorElement element, int columns, int count, int steps) {
  /** Rows of the first factor. */
  static final int ROWS = 128;

  static final int DEPTH = 64;
  static final int THREADS = 256;

  /** What the swizzle repeats after: eight rows. */
  static final int EIGHT_ROWS = 8 * DEPTH * Short.BYTES;

  private static final int ROW_BYTES = DEPTH * Short.BYTES;

  /** Rows of the first factor that a group of four warps multiplies. */
  private static final int GROUP_ROWS = 64;

  /** Rows that threads copy at once, eight threads a row. */
  static final int COPIED_ROWS = THREADS / 8;

  /** Stages that tensor cores may still read: the one that is multiplied and the one before. */
  private static final int IN_USE = 2;

  /** Bytes of a stage. */
  static int bytes(int columns) {
    return (ROWS + columns) * ROW_BYTES;
  }

  private int stage() {
    return bytes(columns);
  }

  /** Steps whose factors are on their way before the first is waited for. */
  private int before() {
    return Math.min(steps, count - IN_USE);
  }

  /**
   * Sixteen bytes that a thread copies in each step.
   *
   * @param from where they are in the next step
   * @param to where in a stage they go, beyond the thread's place
   */
  record Copied(B64 from, int to) {}

  /** What a thread brings of a row, its own sixteen bytes of the eight, and of each step's. */
  Copied copied(String name, B64 row, B32 thread, int stageRow) {
    var beyond = w.wide(w.shl(w.and(thread, imm(7)), imm(4)));
    return new Copied(w.called(name).add(row, beyond), stageRow * ROW_BYTES);
  }

  /** Where a thread copies to in the first stage. */
  B32 to(B32 memory, B32 thread) {
    var row = w.shr(thread, imm(3));
    var sixteen = w.xor(w.and(thread, imm(7)), w.and(row, imm(7)));
    return w.called("to").add(memory, w.mad(row, imm(ROW_BYTES), w.shl(sixteen, imm(4))));
  }

  /** Starts the copies of the first steps; {@link #close} is called for each when all are. */
  void open(List<Copied> copies, B32 to) {
    for (int step = 0; step < before(); step++) bring(copies, w.add(to, imm(step * stage())));
  }

  /** The same, of what is the last of the first steps. */
  void close(List<Copied> copies, B32 to) {
    for (int step = 0; step < count - IN_USE; step++) {
      if (step < steps) bring(copies, w.add(to, imm(step * stage())));
      w.commitCopies();
    }
  }

  private void bring(List<Copied> copies, B32 to) {
    for (var copy : copies) {
      w.copy16(Mem.shared(to).plus(copy.to), Mem.global(copy.from));
      w.into(copy.from).add(copy.from, wide(ROW_BYTES));
    }
  }

  /** Sums of nothing yet: a lane's of a row and of the row eight below, eight columns by eight. */
  List<F32> sums() {
    return Stream.generate(() -> w.called("sum").mov(real(0))).limit(columns / 2).toList();
  }

  /** All steps, of which the first are on their way. */
  void multiply(List<Copied> copies, B32 memory, B32 to, B32 thread, List<F32> sums) {
    var group = w.shr(thread, imm(7));
    var a = w.called("a").mov(matrix(w.mad(group, imm(GROUP_ROWS * ROW_BYTES), memory)));
    var b = w.called("b").mov(matrix(w.add(memory, imm(ROWS * ROW_BYTES))));
    var adds = w.is(Compare.EQ, to, to);
    var read = w.called("read").mov(imm(0));
    var written = w.called("written").mov(imm((count - IN_USE) * stage()));
    w.count(
        "step",
        imm(0),
        imm(steps),
        imm(1),
        step -> {
          w.note(
              "this step's factors are there, and all know that the one before the last is done");
          w.waitCopies(count - IN_USE - 1);
          w.sharedFence();
          w.barrier();
          begin(w.wide(w.shr(read, imm(4))), a, b, sums, adds);
          w.when(
              w.isUnsigned(Compare.LT, step, imm(Math.max(0, steps - (count - IN_USE)))),
              () -> bring(copies, w.add(to, written)));
          w.commitCopies();
          w.awaitGroups(1);
          next(read);
          next(written);
        });
    w.awaitGroups(0);
  }

  /** The stage behind this one. */
  private void next(B32 stage) {
    w.into(stage).add(stage, imm(stage()));
    var isLast = w.is(Compare.EQ, stage, imm(count * stage()));
    w.into(stage).select(isLast, imm(0), stage);
  }

  /** Begins a step's products: 16 values at a time, which are two sixteens of bytes. */
  private void begin(B64 stage, B64 a, B64 b, List<F32> sums, Pred adds) {
    var left = w.add(a, stage);
    var right = w.add(b, stage);
    w.groupFence();
    for (int k = 0; k < DEPTH / 16; k++) {
      w.multiplyGroup(element, sums, w.add(left, wide(2 * k)), w.add(right, wide(2 * k)), adds);
    }
    w.commitGroup();
  }

  /**
   * The descriptor of a matrix of halves at an address, eight rows behind eight. In sixteens of
   * bytes: bits 0 to 13 the address, 16 to 29 a step that swizzled rows do not have, 32 to 45 the
   * step of eight rows; bits 62 and 63 the swizzle, 1 for that of 128 bytes.
   */
  private B64 matrix(B32 address) {
    return w.add(
        w.wide(w.shr(address, imm(4))), wide(1L << 16 | (long) (EIGHT_ROWS / 16) << 32 | 1L << 62));
  }
}
