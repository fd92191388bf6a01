package weft.cuda.interpret;

import static weft.cuda.interpret.MoveSteps.each;
import static weft.cuda.interpret.Slots.LANES;

import java.util.Optional;
import weft.cuda.interpret.Instruction.Step;

/** What lanes of a warp do together: shuffles, votes, matrices. */
final class WarpSteps {
  private static final int ROWS = 16;
  private static final int COLUMNS = 8;
  private static final int DEPTH = 16;

  private final Statement s;
  private final Slots slots;

  private WarpSteps(Statement s, Slots slots) {
    this.s = s;
    this.slots = slots;
  }

  static Optional<Step> of(Statement s, Slots slots) {
    return Optional.ofNullable(new WarpSteps(s, slots).step());
  }

  private Step step() {
    var m = s.mnemonic();
    if (m.startsWith("shfl.sync.")) return shuffle();
    if (m.startsWith("vote.sync.")) return vote();
    if (m.startsWith("redux.sync.")) return reduce();
    if (m.equals("bar.warp.sync")) {
      whole(s.operand(0));
      return (w, _) -> w.block().clocks().step(w.number());
    }
    if (m.startsWith("ldmatrix.sync.aligned.m8n8.")) return matrices();
    if (m.startsWith("mma.sync.aligned.m16n8k16.row.col.f32.")) return multiply();
    return null;
  }

  private void whole(String members) {
    if ((int) slots.whole(members) != -1) {
      throw slots.problem("the interpreter knows whole warps alone");
    }
  }

  private Step shuffle() {
    var way = s.mnemonic().split("\\.")[2];
    int to = slots.register(s.operand(0), "b32");
    int a = slots.word(s.operand(1), "b32");
    int b = slots.word(s.operand(2), "b32");
    int c = slots.word(s.operand(3), "b32");
    whole(s.operand(4));
    return (w, lanes) -> {
      var from = new int[LANES];
      System.arraycopy(w.words, a, from, 0, LANES);
      each(
          lanes,
          l -> {
            int by = w.words[b + l] & 31;
            int bounds = w.words[c + l];
            int segment = bounds >> 8 & 31;
            int limit = (l & segment) | (bounds & 31 & ~segment);
            int source =
                switch (way) {
                  case "bfly" -> l ^ by;
                  case "idx" -> (l & segment) | (by & ~segment);
                  case "up" -> l - by;
                  case "down" -> l + by;
                  default -> throw slots.problem("no shuffle ." + way);
                };
            boolean isIn = way.equals("up") ? source >= limit : source <= limit;
            if (!isIn) source = l;
            if ((lanes >>> source & 1) == 0) {
              throw w.fault(l, "takes from lane " + source + ", which is not there");
            }
            w.words[to + l] = from[source];
          });
    };
  }

  private Step vote() {
    int a = slots.pred(s.operand(1));
    whole(s.operand(2));
    if (s.has("ballot")) {
      int to = slots.register(s.operand(0), "b32");
      return (w, lanes) -> each(lanes, l -> w.words[to + l] = w.preds[a] & lanes);
    }
    int to = slots.pred(s.operand(0));
    boolean all = s.has("all");
    return (w, lanes) -> {
      int said = w.preds[a] & lanes;
      boolean is = all ? said == lanes : said != 0;
      w.preds[to] = w.preds[to] & ~lanes | (is ? lanes : 0);
    };
  }

  private Step reduce() {
    int to = slots.register(s.operand(0), "b32");
    int a = slots.word(s.operand(1), "b32");
    whole(s.operand(2));
    var way = s.mnemonic().split("\\.")[2];
    boolean isSigned = s.type().equals("s32");
    return (w, lanes) -> {
      int first = Integer.numberOfTrailingZeros(lanes);
      int result = w.words[a + first];
      for (int l = first + 1; l < LANES; l++) {
        if ((lanes >>> l & 1) == 0) continue;
        int b = w.words[a + l];
        int order = isSigned ? Integer.compare(result, b) : Integer.compareUnsigned(result, b);
        result =
            switch (way) {
              case "add" -> result + b;
              case "min" -> order < 0 ? result : b;
              case "max" -> order > 0 ? result : b;
              case "and" -> result & b;
              case "or" -> result | b;
              default -> throw slots.problem("no reduction ." + way);
            };
      }
      int found = result;
      each(lanes, l -> w.words[to + l] = found);
    };
  }

  private void all(Warp w, int lanes) {
    if (lanes != -1) throw w.fault(0, "works with matrices, which takes 32 lanes");
  }

  private int[] words(String operand, String type) {
    return Slots.parts(operand).stream().mapToInt(name -> slots.word(name, type)).toArray();
  }

  private Step matrices() {
    var to = words(s.operand(0), "b32");
    var from = Address.parse(s.operand(1), true, slots);
    boolean isTurned = s.has("trans");
    return (w, lanes) -> {
      all(w, lanes);
      var memory = w.block().shared();
      for (int matrix = 0; matrix < to.length; matrix++) {
        var rows = new int[8];
        for (int row = 0; row < 8; row++) {
          rows[row] = from.sharedOf(w, 8 * matrix + row);
          memory.read(w, 8 * matrix + row, rows[row], 16);
        }
        requireApart(w, matrix, rows);
        for (int l = 0; l < LANES; l++) {
          int wanted = l % 4 * 2;
          w.words[to[matrix] + l] =
              isTurned
                  ? memory.get16(rows[wanted] + 2 * (l / 4)) & 0xFFFF
                      | memory.get16(rows[wanted + 1] + 2 * (l / 4)) << 16
                  : memory.get32(rows[l / 4] + 2 * wanted);
        }
      }
    };
  }

  /** Rows in the same banks are right but slow, and a pitch would keep them apart. */
  private static void requireApart(Warp w, int matrix, int[] rows) {
    for (int row = 0; row < 8; row++) {
      for (int other = 0; other < row; other++) {
        if (rows[row] != rows[other] && rows[row] / 16 % 8 == rows[other] / 16 % 8) {
          throw w.fault(
              8 * matrix + row,
              "loads rows %d and %d of a matrix from the same banks, at %d and %d"
                  .formatted(other, row, rows[other], rows[row]));
        }
      }
    }
  }

  private Step multiply() {
    var to = words(s.operand(0), "f32");
    var a = words(s.operand(1), "b32");
    var b = words(s.operand(2), "b32");
    var c = words(s.operand(3), "f32");
    if (to.length != 4 || a.length != 4 || b.length != 2 || c.length != 4) {
      throw slots.problem("m16n8k16 takes 4, 4, 2 and 4 registers");
    }
    boolean isBfloat = s.has("bf16");
    return (w, lanes) -> {
      all(w, lanes);
      var left = new double[ROWS * DEPTH];
      var right = new double[DEPTH * COLUMNS];
      for (int l = 0; l < LANES; l++) {
        for (int i = 0; i < 4; i++) {
          int row = l / 4 + i % 2 * 8;
          int column = l % 4 * 2 + i / 2 * 8;
          left[row * DEPTH + column] = element(w.words[a[i] + l], isBfloat);
          left[row * DEPTH + column + 1] = element(w.words[a[i] + l] >>> 16, isBfloat);
        }
        for (int i = 0; i < 2; i++) {
          int row = l % 4 * 2 + i * 8;
          right[row * COLUMNS + l / 4] = element(w.words[b[i] + l], isBfloat);
          right[(row + 1) * COLUMNS + l / 4] = element(w.words[b[i] + l] >>> 16, isBfloat);
        }
      }
      var products = products(left, right);
      for (int l = 0; l < LANES; l++) {
        for (int i = 0; i < 4; i++) {
          int row = l / 4 + i / 2 * 8;
          int column = l % 4 * 2 + i % 2;
          double sum = Float.intBitsToFloat(w.words[c[i] + l]) + products[row * COLUMNS + column];
          w.words[to[i] + l] = Float.floatToRawIntBits((float) sum);
        }
      }
    };
  }

  /** Row by row, with all columns beside each other: a loop that the JIT makes vectors of. */
  private static double[] products(double[] left, double[] right) {
    var products = new double[ROWS * COLUMNS];
    for (int row = 0; row < ROWS; row++) {
      for (int k = 0; k < DEPTH; k++) {
        double factor = left[row * DEPTH + k];
        for (int column = 0; column < COLUMNS; column++) {
          products[row * COLUMNS + column] += factor * right[k * COLUMNS + column];
        }
      }
    }
    return products;
  }

  private static float element(int bits, boolean isBfloat) {
    return isBfloat ? RealSteps.bfloat(bits & 0xFFFF) : RealSteps.half(bits);
  }
}
