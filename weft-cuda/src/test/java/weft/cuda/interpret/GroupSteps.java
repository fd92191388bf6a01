package weft.cuda.interpret;

import static weft.cuda.interpret.Slots.LANES;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import weft.cuda.interpret.Instruction.Step;

/**
 * What four warps do together on tensor cores ({@code wgmma}). Each makes its own 16 rows of the 64
 * when it waits for them; that all four come is not asked for.
 */
final class GroupSteps {
  private static final String MULTIPLY = "wgmma.mma_async.sync.aligned.m64n";
  private static final int ROWS = 16;
  private static final int DEPTH = 16;
  private static final int ROW_BYTES = 128;
  private static final List<String> PLAIN = List.of("1", "1");
  private static final List<String> PLAIN_ROWS = List.of("1", "1", "0");

  private final Statement s;
  private final Slots slots;

  private GroupSteps(Statement s, Slots slots) {
    this.s = s;
    this.slots = slots;
  }

  static Optional<Step> of(Statement s, Slots slots) {
    return Optional.ofNullable(new GroupSteps(s, slots).step());
  }

  private Step step() {
    var m = s.mnemonic();
    if (m.startsWith(MULTIPLY)) return multiply();
    return switch (m) {
      case "wgmma.fence.sync.aligned" -> (w, _) -> w.products().fence();
      case "wgmma.commit_group.sync.aligned" -> (w, _) -> w.products().commit();
      case "wgmma.wait_group.sync.aligned" -> {
        int pending = (int) slots.whole(s.operand(0));
        yield (w, _) -> w.products().await(pending);
      }
      default -> null;
    };
  }

  /**
   * A matrix of halves in shared memory, rows of 128 bytes whose sixteens are swizzled.
   *
   * @param blocks from 64 columns to the next, where rows are values of columns
   * @param step from eight rows to the next
   */
  private record Matrix(int start, int blocks, int step) {
    static Matrix of(Warp w, long descriptor) {
      int start = (int) (descriptor & 0x3FFF) << 4;
      if (descriptor >>> 62 != 1 || (descriptor >>> 49 & 7) != 0) {
        throw w.fault(0, "has a matrix that is not swizzled by 128 bytes: all that is known here");
      }
      if (start / ROW_BYTES % 8 != 0) {
        throw w.fault(
            0,
            "has a matrix at %d: eight swizzled rows begin at a multiple of 1024".formatted(start));
      }
      return new Matrix(
          start, (int) (descriptor >>> 16 & 0x3FFF) << 4, (int) (descriptor >>> 32 & 0x3FFF) << 4);
    }

    private int at(int row, int bytes) {
      int plain = start + row / 8 * step + row % 8 * ROW_BYTES + bytes;
      return plain ^ (plain / ROW_BYTES % 8) << 4;
    }

    /** Where the k-th value of a row of the product is, or of a column. */
    int at(int number, int k, boolean isTurned) {
      return isTurned ? at(k, number % 64 * 2) + number / 64 * blocks : at(number, 2 * k);
    }

    double[] load(Warp w, int first, int count, boolean isBfloat, boolean isTurned) {
      var values = new double[count * DEPTH];
      for (int i = 0; i < values.length; i++) {
        int at = at(first + i / DEPTH, i % DEPTH, isTurned);
        // Of eight values side by side, the first stands for all.
        boolean isFirst = (isTurned ? i / DEPTH : i) % 8 == 0;
        if (isFirst) w.block().shared().readByTensorCores(w, at & -16);
        int bits = w.block().shared().get16(at) & 0xFFFF;
        values[i] = isBfloat ? RealSteps.bfloat(bits) : RealSteps.half(bits);
      }
      return values;
    }
  }

  /** Rows of the product: where a warp has 16 values of each of its 16 rows. */
  private interface Rows {
    Supplier<double[]> of(Warp w);
  }

  private Rows rowsOfMemory(boolean isBfloat) {
    int a = slots.wide(s.operand(1), "b64");
    return w -> {
      var matrix = Matrix.of(w, same(w, a));
      return () -> matrix.load(w, w.number() % 4 * ROWS, ROWS, isBfloat, false);
    };
  }

  private Rows rowsOfRegisters(boolean isBfloat) {
    var a = Slots.parts(s.operand(1)).stream().mapToInt(name -> slots.word(name, "b32")).toArray();
    if (a.length != 4) throw slots.problem("%d registers where 4 belong".formatted(a.length));
    return w -> () -> values(w, a, isBfloat);
  }

  private static double[] values(Warp w, int[] a, boolean isBfloat) {
    var values = new double[ROWS * DEPTH];
    for (int l = 0; l < LANES; l++) {
      for (int i = 0; i < 4; i++) {
        int at = (l / 4 + i % 2 * 8) * DEPTH + l % 4 * 2 + i / 2 * 8;
        values[at] = WarpSteps.element(w.words[a[i] + l], isBfloat);
        values[at + 1] = WarpSteps.element(w.words[a[i] + l] >>> 16, isBfloat);
      }
    }
    return values;
  }

  private static long same(Warp w, int descriptor) {
    for (int l = 1; l < LANES; l++) {
      if (w.wides[descriptor + l] != w.wides[descriptor]) {
        throw w.fault(l, "has another matrix than the warp's first lane");
      }
    }
    return w.wides[descriptor];
  }

  private Step multiply() {
    var sums =
        Slots.parts(s.operand(0)).stream().mapToInt(name -> slots.word(name, "f32")).toArray();
    int columns = Integer.parseInt(s.mnemonic().substring(MULTIPLY.length()).split("k16")[0]);
    if (sums.length != columns / 2) {
      throw slots.problem("%d registers where %d belong".formatted(sums.length, columns / 2));
    }
    boolean isBfloat = s.has("bf16");
    boolean isOfRegisters = s.operand(1).startsWith("{");
    var rows = isOfRegisters ? rowsOfRegisters(isBfloat) : rowsOfMemory(isBfloat);
    int b = slots.wide(s.operand(2), "b64");
    int adds = slots.pred(s.operand(3));
    var scales = s.operands().subList(4, s.operands().size());
    boolean isTurned = scales.getLast().equals("1");
    if (!scales.subList(0, scales.size() - 1).equals(isOfRegisters ? PLAIN : PLAIN_ROWS)) {
      throw slots.problem("the interpreter knows factors as they are, and rows row by row");
    }
    return (w, lanes) -> {
      if (lanes != -1) throw w.fault(0, "works with matrices, which takes 32 lanes");
      var right = Matrix.of(w, same(w, b));
      boolean isAdded = w.preds[adds] != 0;
      var left = rows.of(w);
      var x = left.get();
      right.load(w, 0, columns, isBfloat, isTurned);
      Runnable product =
          () -> {
            // What changed since the product was begun would have been read at any time.
            if (!Arrays.equals(x, left.get())) {
              throw w.fault(0, "changed rows of a product before it waited for it");
            }
            add(w, sums, x, right.load(w, 0, columns, isBfloat, isTurned), isAdded);
          };
      w.products().begin(new GroupProducts.Begun(sums, product));
    };
  }

  private static void add(Warp w, int[] sums, double[] x, double[] y, boolean isAdded) {
    for (int i = 0; i < sums.length; i++) {
      var held = w.products().held(sums[i]);
      for (int l = 0; l < LANES; l++) {
        int row = (l / 4 + i % 4 / 2 * 8) * DEPTH;
        int column = (i / 4 * 8 + l % 4 * 2 + i % 2) * DEPTH;
        double sum = isAdded ? Float.intBitsToFloat(held[l]) : 0;
        double product = 0;
        for (int k = 0; k < DEPTH; k++) product += x[row + k] * y[column + k];
        held[l] = Float.floatToRawIntBits((float) (sum + product));
      }
    }
  }
}
