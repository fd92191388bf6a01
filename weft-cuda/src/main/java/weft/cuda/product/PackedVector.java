package weft.cuda.product;

import static weft.cuda.ptx.Imm.bits;
import static weft.cuda.ptx.Imm.imm;
import static weft.cuda.ptx.Imm.real;

import java.util.ArrayList;
import java.util.List;
import weft.cuda.ptx.Cache;
import weft.cuda.ptx.Compare;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.Operand.Word;
import weft.cuda.ptx.PtxFunction;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.B64;
import weft.cuda.ptx.Reg.F32;
import weft.cuda.ptx.Reg.Pred;
import weft.cuda.ptx.Special;

/**
 * Packed rows times a few rows of activations. The block makes the activations bytes with a scale
 * for each 32 of them, in its shared memory; then every lane takes a run of 32 weights as it lies
 * in memory, multiplies it with the bytes of all rows, four at once, and only its sums are floats.
 */
final class PackedVector {
  /** Bytes of a run's activations in each of three planes: two of values, one of scales. */
  private static final int STEP = 16;

  private static final float LARGEST = 127;

  private final VectorShape shape;
  private final RowLayout layout;
  private final int turns;
  private final int padded;
  private final PtxWriter w;

  PackedVector(VectorShape shape) {
    this.shape = shape;
    layout = shape.product().layout();
    int steps = Math.ceilDiv(layout.runs(), 32);
    // As many runs at once as keep enough loads on their way and leave none over.
    int most = VectorShape.IN_FLIGHT / (shape.outputsAWarp() * shape.product().weights());
    turns = Math.clamp(Integer.lowestOneBit(steps), 1, Math.max(1, most));
    padded = steps * 32;
    w = new PtxWriter(shape.name());
  }

  int sharedBytes() {
    return squaresAt(shape.product().norm().isPresent() ? shape.rows() : 0);
  }

  /** Where the warps' sums of squares of a row are, behind all activations. */
  private int squaresAt(int row) {
    return shape.rows() * 3 * padded * STEP + row * VectorShape.WARPS * Float.BYTES;
  }

  PtxFunction function() {
    var begun = shape.begin(w);
    var memory = w.called("memory").addressOf(w.dynamicShared());
    var code = new RunCode(w, layout);
    w.note("the first weights are on their way while activations become bytes");
    var first = load(code, begun, begun.lane());
    for (int row = 0; row < shape.rows(); row++) quantize(begun, memory, row);
    w.barrier();
    var sums = shape.sums(w);
    var place = w.called("place").mad(begun.lane(), imm(STEP), memory);
    if (padded == 32 * turns) {
      multiply(code, first, Mem.shared(place), sums);
    } else {
      loop(code, begun, first, place, sums);
    }
    shape.end(w, begun, sums, factors(memory));
    return w.function();
  }

  /** What norms multiply rows by: each warp adds up what all have left. */
  private List<F32> factors(B32 memory) {
    var factors = new ArrayList<F32>();
    if (shape.product().norm().isEmpty()) return factors;
    for (int row = 0; row < shape.rows(); row++) {
      var sum = w.called("all_squares").mov(real(0));
      for (int i = 0; i < VectorShape.WARPS; i += 4) {
        var at = Mem.shared(memory).plus(squaresAt(row) + i * Float.BYTES);
        for (var part : w.loadReals(4, at, Cache.PLAIN)) w.into(sum).add(sum, part);
      }
      factors.add(shape.factor(w, sum));
    }
    return factors;
  }

  /** Turn after turn: the next weights are on their way while these are multiplied. */
  private void loop(
      RunCode code,
      VectorShape.Begun begun,
      List<RunCode.Loaded> first,
      B32 place,
      List<F32> sums) {
    var mine = first.stream().map(this::kept).toList();
    w.count(
        "run",
        begun.lane(),
        imm(padded),
        imm(32 * turns),
        run -> {
          var next = load(code, begun, w.add(run, imm(32 * turns)));
          multiply(code, mine, Mem.shared(place), sums);
          w.into(place).add(place, imm(32 * turns * STEP));
          for (int i = 0; i < mine.size(); i++) {
            var from = next.get(i).words();
            var to = mine.get(i).words();
            for (int j = 0; j < to.size(); j++) w.into(to.get(j)).mov(from.get(j));
          }
        });
  }

  private RunCode.Loaded kept(RunCode.Loaded loaded) {
    return loaded.in(loaded.words().stream().map(word -> w.called("w").mov(word)).toList());
  }

  /** A run of each of the warp's weights, and that for as many turns as go together. */
  private List<RunCode.Loaded> load(RunCode code, VectorShape.Begun begun, B32 from) {
    var loaded = new ArrayList<RunCode.Loaded>();
    for (int turn = 0; turn < turns; turn++) {
      var run = last(turn == 0 ? from : w.add(from, imm(32 * turn)));
      begun.weights().forEach(row -> loaded.add(code.load(row, run)));
    }
    return loaded;
  }

  /** A run that is there: those beyond the last meet activations that are zero. */
  private B32 last(Word run) {
    return w.minUnsigned(run, imm(layout.runs() - 1));
  }

  private int plane(int row, int plane) {
    return (row * 3 + plane) * padded * STEP;
  }

  /** Eight threads make a run of a row bytes, four values each. */
  private void quantize(VectorShape.Begun begun, B32 memory, int row) {
    w.note("activations of row " + row + " as bytes, with a scale for each 32");
    var x = shape.xRow(w, begun, row);
    var thread = w.read(Special.TID_X);
    var part = w.and(thread, imm(7));
    var norm = begun.parameters().norm();
    var squares = w.called("squares").mov(real(0));
    w.count(
        "x_run",
        w.shr(thread, imm(3)),
        imm(padded),
        imm(VectorShape.THREADS / 8),
        run -> {
          var value = w.mad(last(run), imm(PackedForm.RUN), w.shl(part, imm(2)));
          var at = Mem.global(w.madWide(value, imm(Float.BYTES), x));
          var exists = w.isUnsigned(Compare.LT, run, imm(layout.runs()));
          var loaded = w.loadReals(4, at, Cache.PLAIN);
          var four = norm.map(from -> weighed(loaded, from, value, squares, exists)).orElse(loaded);
          var largest = largest(four);
          var scale = w.select(exists, w.mul(largest, real(1 / LARGEST)), real(0));
          var inverse = w.div(real(LARGEST), largest);
          var isZero = w.is(Compare.EQ, scale, real(0));
          w.into(inverse).select(isZero, real(0), inverse);
          var quad = bytes(four, inverse);
          var place = w.mad(run, imm(STEP), memory);
          var half = w.shr(part, imm(2));
          var word = w.mad(half, imm(padded * STEP), place);
          w.into(word).mad(w.and(part, imm(3)), imm(4), word);
          w.store(Mem.shared(word).plus(plane(row, 0)), quad);
          // The sum of each half, for what is taken from products: zeros and minimums.
          var sum = w.called("half_sum").dotSigned(quad, bits(0x01010101), imm(0));
          for (int bits : new int[] {1, 2}) w.into(sum).add(sum, w.shuffleXor(sum, bits));
          var other = w.shuffleXor(sum, 4);
          var sums = List.of(sum, other, w.add(sum, other));
          var scaled = new ArrayList<>(List.of(scale));
          for (var each : sums) scaled.add(w.mul(scale, w.toReal(each)));
          w.when(
              w.is(Compare.EQ, part, imm(0)),
              () -> w.storeReals(Mem.shared(place).plus(plane(row, 2)), scaled));
        });
    if (norm.isPresent()) leaveSquares(begun, memory, row, squares);
  }

  /** Four values times the norm's weights; their squares are added where they exist. */
  private List<F32> weighed(List<F32> four, B64 norm, B32 value, F32 squares, Pred exists) {
    float offset = shape.product().norm().orElseThrow().offset();
    var at = Mem.global(w.madWide(value, imm(Float.BYTES), norm));
    var weights = w.loadReals(4, at, Cache.READ_ONLY);
    var weighed = new ArrayList<F32>();
    for (int i = 0; i < 4; i++) {
      var x = four.get(i);
      w.guarded(exists, () -> w.into(squares).fma(x, x, squares));
      var weight = offset == 0 ? weights.get(i) : w.add(weights.get(i), real(offset));
      weighed.add(w.mul(x, weight));
    }
    return weighed;
  }

  private void leaveSquares(VectorShape.Begun begun, B32 memory, int row, F32 squares) {
    VectorShape.addLanes(w, squares);
    var warp = w.shr(w.read(Special.TID_X), imm(5));
    var at = Mem.shared(w.mad(warp, imm(Float.BYTES), memory)).plus(squaresAt(row));
    w.when(w.is(Compare.EQ, begun.lane(), imm(0)), () -> w.store(at, squares));
  }

  /** The greatest magnitude of a run, or none where a value is no number. */
  private F32 largest(List<F32> four) {
    var largest = w.called("largest").abs(four.get(0));
    for (var value : four.subList(1, 4)) w.into(largest).maxOrNone(largest, w.abs(value));
    for (int bits : new int[] {1, 2, 4}) {
      w.into(largest).maxOrNone(largest, w.shuffleXor(largest, bits));
    }
    return largest;
  }

  private B32 bytes(List<F32> four, F32 inverse) {
    var whole = four.stream().map(value -> w.toNearest(w.mul(value, inverse))).toList();
    var low = w.bytes(whole.get(0), whole.get(1), bits(0x0040));
    var high = w.bytes(whole.get(2), whole.get(3), bits(0x0040));
    return w.bytes(low, high, bits(0x5410));
  }

  /** The runs of the warp's weights meet those of all rows. */
  private void multiply(RunCode code, List<RunCode.Loaded> loaded, Mem place, List<F32> sums) {
    int weights = loaded.size() / turns;
    for (int turn = 0; turn < turns; turn++) {
      var at = place.plus(turn * 32 * STEP);
      var taken =
          loaded.subList(turn * weights, (turn + 1) * weights).stream().map(code::take).toList();
      for (int row = 0; row < shape.rows(); row++) {
        var quads = new ArrayList<B32>();
        quads.addAll(w.loadWords(4, at.plus(plane(row, 0)), Cache.PLAIN));
        quads.addAll(w.loadWords(4, at.plus(plane(row, 1)), Cache.PLAIN));
        var scales = w.loadReals(4, at.plus(plane(row, 2)), Cache.PLAIN);
        for (int i = 0; i < weights; i++) {
          add(code, taken.get(i), quads, scales, sums.get(i * shape.rows() + row));
        }
      }
    }
  }

  /**
   * Adds a run's product to a sum.
   *
   * @param x the scale of the activations, then the sums of their halves and of all
   */
  private void add(RunCode code, RunCode.Taken taken, List<B32> quads, List<F32> x, F32 sum) {
    int halves = taken.scales().size();
    for (int half = 0; half < halves; half++) {
      var dot = w.mov(imm(0));
      for (int q = 8 / halves * half; q < 8 / halves * (half + 1); q++) {
        dot = code.dot(taken.quads().get(q), quads.get(q), dot);
      }
      var scale = w.mul(taken.scales().get(half), x.get(0));
      w.into(sum).fma(scale, w.toReal(dot), sum);
      var xSum = x.get(halves == 1 ? 3 : 1 + half);
      if (taken.minimums().isPresent()) {
        w.into(sum).fma(w.neg(taken.minimums().get().get(half)), xSum, sum);
      }
    }
  }
}
