package weft.cuda.interpret;

import static weft.cuda.interpret.Slots.LANES;

import java.util.List;
import java.util.Optional;
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

  /** A matrix of halves in shared memory, rows of 128 bytes whose sixteens are swizzled. */
  private record Matrix(int start, int step) {
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
      return new Matrix(start, (int) (descriptor >>> 32 & 0x3FFF) << 4);
    }

    /** Where a sixteen of bytes of a row is. */
    int at(int row, int sixteen) {
      int plain = start + row / 8 * step + row % 8 * ROW_BYTES + 16 * sixteen;
      return plain ^ (plain / ROW_BYTES % 8) << 4;
    }

    void touch(Warp w, int first, int rows) {
      for (int row = first; row < first + rows; row++) {
        for (int i = 0; i < 2; i++) w.block().shared().readByTensorCores(w, at(row, i));
      }
    }

    double[] load(Warp w, int first, int rows, boolean isBfloat) {
      var shared = w.block().shared();
      var values = new double[rows * DEPTH];
      for (int i = 0; i < values.length; i++) {
        int k = i % DEPTH;
        int bits = shared.get16(at(first + i / DEPTH, k / 8) + k % 8 * 2) & 0xFFFF;
        values[i] = isBfloat ? RealSteps.bfloat(bits) : RealSteps.half(bits);
      }
      return values;
    }
  }

  private Step multiply() {
    var sums =
        Slots.parts(s.operand(0)).stream().mapToInt(name -> slots.word(name, "f32")).toArray();
    int columns = Integer.parseInt(s.mnemonic().substring(MULTIPLY.length()).split("k16")[0]);
    if (sums.length != columns / 2) {
      throw slots.problem("%d registers where %d belong".formatted(sums.length, columns / 2));
    }
    int a = slots.wide(s.operand(1), "b64");
    int b = slots.wide(s.operand(2), "b64");
    int adds = slots.pred(s.operand(3));
    if (!s.operands().subList(4, 8).equals(List.of("1", "1", "0", "0"))) {
      throw slots.problem("the interpreter knows factors as they are, row by row");
    }
    boolean isBfloat = s.has("bf16");
    return (w, lanes) -> {
      if (lanes != -1) throw w.fault(0, "works with matrices, which takes 32 lanes");
      for (int l = 1; l < LANES; l++) {
        if (w.wides[a + l] != w.wides[a] || w.wides[b + l] != w.wides[b]) {
          throw w.fault(l, "has another matrix than the warp's first lane");
        }
      }
      var left = Matrix.of(w, w.wides[a]);
      var right = Matrix.of(w, w.wides[b]);
      int first = w.number() % 4 * ROWS;
      left.touch(w, first, ROWS);
      right.touch(w, 0, columns);
      boolean isAdded = w.preds[adds] != 0;
      Runnable product =
          () -> {
            left.touch(w, first, ROWS);
            right.touch(w, 0, columns);
            var x = left.load(w, first, ROWS, isBfloat);
            var y = right.load(w, 0, columns, isBfloat);
            add(w, sums, x, y, isAdded);
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
