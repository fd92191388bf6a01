package weft.cuda.product;

import static weft.cuda.ptx.Imm.bits;
import static weft.cuda.ptx.Imm.imm;
import static weft.cuda.ptx.Imm.real;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import weft.cuda.ptx.Cache;
import weft.cuda.ptx.Compare;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.B64;
import weft.cuda.ptx.Reg.F32;
import weft.cuda.ptx.Special;

/**
 * A block's rows of activations in its shared memory: bytes, with a scale for each run of 32, and
 * zeros behind them up to a multiple of a warp's runs. A row has three planes of 16 bytes a run:
 * the first half's bytes, the second's, and four floats: the scale, and that times the sums of both
 * halves and of all, for what products have taken from them.
 */
final class ByteRows {
  /** Bytes of a run in each plane. */
  static final int STEP = 16;

  private static final float LARGEST = 127;

  /** Runs that the block's threads make bytes at once, eight threads each. */
  private static final int RUNS_AT_ONCE = VectorShape.THREADS / 8;

  /** Loads of activations that a thread has on their way at once, if it has one row or several. */
  private static final int LOADS_OF_ONE = 16;

  private static final int LOADS_OF_SEVERAL = 4;

  private final PtxWriter w;
  private final VectorShape shape;
  private final int runs;
  private final int padded;

  ByteRows(PtxWriter w, VectorShape shape, int runs) {
    this.w = w;
    this.shape = shape;
    this.runs = runs;
    padded = Math.ceilDiv(runs, 32) * 32;
  }

  int sharedBytes() {
    return squaresAt(shape.product().norm().isPresent() ? shape.rows() : 0);
  }

  /** The runs of a row, those that are zero included. */
  int padded() {
    return padded;
  }

  /** A run that is there: those beyond the last meet activations that are zero. */
  B32 last(B32 run) {
    return padded == runs ? run : w.minUnsigned(run, imm(runs - 1));
  }

  private int plane(int row, int plane) {
    return (row * 3 + plane) * padded * STEP;
  }

  /** Where the warps' sums of squares of a row are, behind all activations. */
  private int squaresAt(int row) {
    return plane(shape.rows(), 0) + row * VectorShape.WARPS * Float.BYTES;
  }

  /** A run of a row: eight words of four bytes. */
  List<B32> quads(int row, Mem place) {
    var quads = new ArrayList<B32>();
    quads.addAll(w.loadWords(4, place.plus(plane(row, 0)), Cache.PLAIN));
    quads.addAll(w.loadWords(4, place.plus(plane(row, 1)), Cache.PLAIN));
    return quads;
  }

  /** A run's scale, then the sums of its halves and of all, with the scale. */
  List<F32> scales(int row, Mem place) {
    return w.loadReals(4, place.plus(plane(row, 2)), Cache.PLAIN);
  }

  /** Four values of a run that a thread makes bytes. */
  private record Four(B32 run, List<F32> values, List<F32> norm) {}

  /** Makes all rows bytes; a barrier must follow. */
  void make(VectorShape.Begun begun, B32 memory) {
    var thread = w.read(Special.TID_X);
    var part = w.called("x_part").and(thread, imm(7));
    var word = w.mad(w.shr(part, imm(2)), imm(padded * STEP), memory);
    w.into(word).mad(w.and(part, imm(3)), imm(4), word);
    for (int row = 0; row < shape.rows(); row++) {
      int number = row;
      w.note("activations of row " + row + " as bytes, with a scale for each 32");
      var x = w.madWide(part, imm(4 * Float.BYTES), shape.xRow(w, begun, row));
      var squares = w.called("squares").mov(real(0));
      w.count(
          "x_run",
          w.shr(thread, imm(3)),
          imm(padded),
          imm(RUNS_AT_ONCE * atOnce()),
          first -> {
            var fours =
                IntStream.range(0, atOnce())
                    .mapToObj(i -> load(begun, part, x, i == 0 ? first : later(first, i)))
                    .toList();
            for (var four : fours) {
              make(weighed(four, squares), part, memory, word, number);
            }
          });
      if (begun.parameters().norm().isPresent()) leaveSquares(begun, memory, row, squares);
    }
  }

  private B32 later(B32 first, int turn) {
    return w.add(first, imm(RUNS_AT_ONCE * turn));
  }

  /** As many loads as go together and leave none over. */
  private int atOnce() {
    int turns = padded / RUNS_AT_ONCE;
    int most = shape.rows() == 1 ? LOADS_OF_ONE : LOADS_OF_SEVERAL;
    return IntStream.rangeClosed(1, Math.min(most, turns))
        .filter(count -> turns % count == 0)
        .max()
        .orElse(1);
  }

  private Four load(VectorShape.Begun begun, B32 part, B64 x, B32 run) {
    var there = last(run);
    int bytes = PackedForm.RUN * Float.BYTES;
    var values = w.loadReals(4, Mem.global(w.madWide(there, imm(bytes), x)), Cache.PLAIN);
    var norm =
        begun
            .parameters()
            .norm()
            .map(
                from -> {
                  var mine = w.madWide(part, imm(4 * Float.BYTES), from);
                  var at = Mem.global(w.madWide(there, imm(bytes), mine));
                  return w.loadReals(4, at, Cache.READ_ONLY);
                })
            .orElse(List.of());
    return new Four(run, values, norm);
  }

  /** Values times the norm's weights, if any; their squares are added where they are no others'. */
  private Four weighed(Four four, F32 squares) {
    if (four.norm().isEmpty()) return four;
    float offset = shape.product().norm().orElseThrow().offset();
    var weighed = new ArrayList<F32>();
    for (int i = 0; i < 4; i++) {
      var x = four.values().get(i);
      var counted = x;
      if (padded != runs) {
        counted = w.select(w.isUnsigned(Compare.LT, four.run(), imm(runs)), x, real(0));
      }
      w.into(squares).fma(counted, counted, squares);
      var weight = four.norm().get(i);
      weighed.add(w.mul(x, offset == 0 ? weight : w.add(weight, real(offset))));
    }
    return new Four(four.run(), weighed, List.of());
  }

  private void make(Four four, B32 part, B32 memory, B32 word, int row) {
    var largest = largest(four.values());
    var scale = w.mul(largest, real(1 / LARGEST));
    if (padded != runs) {
      scale = w.select(w.isUnsigned(Compare.LT, four.run(), imm(runs)), scale, real(0));
    }
    var isZero = w.is(Compare.EQ, scale, real(0));
    var inverse = w.select(isZero, real(0), w.div(real(LARGEST), largest));
    var quad = bytes(four.values(), inverse);
    var to = w.mad(four.run(), imm(STEP), word);
    w.store(Mem.shared(to).plus(plane(row, 0)), quad);
    var sum = w.called("half_sum").dotSigned(quad, bits(0x01010101), imm(0));
    for (int step : new int[] {1, 2}) w.into(sum).add(sum, w.shuffleXor(sum, step));
    var other = w.shuffleXor(sum, 4);
    var scaled = new ArrayList<>(List.of(scale));
    for (var each : List.of(sum, other, w.add(sum, other))) {
      scaled.add(w.mul(scale, w.toReal(each)));
    }
    var place = Mem.shared(w.mad(four.run(), imm(STEP), memory)).plus(plane(row, 2));
    w.guarded(w.is(Compare.EQ, part, imm(0)), () -> w.storeReals(place, scaled));
  }

  /** The greatest magnitude of a run, or none where a value is no number. */
  private F32 largest(List<F32> four) {
    var largest = w.called("largest").abs(four.get(0));
    for (var value : four.subList(1, 4)) w.into(largest).maxOrNone(largest, w.abs(value));
    for (int step : new int[] {1, 2, 4}) {
      w.into(largest).maxOrNone(largest, w.shuffleXor(largest, step));
    }
    return largest;
  }

  private B32 bytes(List<F32> four, F32 inverse) {
    var whole = four.stream().map(value -> w.toNearest(w.mul(value, inverse))).toList();
    var low = w.bytes(whole.get(0), whole.get(1), bits(0x0040));
    var high = w.bytes(whole.get(2), whole.get(3), bits(0x0040));
    return w.bytes(low, high, bits(0x5410));
  }

  private void leaveSquares(VectorShape.Begun begun, B32 memory, int row, F32 squares) {
    VectorShape.addLanes(w, squares);
    var warp = w.shr(w.read(Special.TID_X), imm(5));
    var at = Mem.shared(w.mad(warp, imm(Float.BYTES), memory)).plus(squaresAt(row));
    w.guarded(w.is(Compare.EQ, begun.lane(), imm(0)), () -> w.store(at, squares));
  }

  /** What norms multiply rows by, if any: each warp adds up what all have left. */
  List<F32> factors(B32 memory) {
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
}
