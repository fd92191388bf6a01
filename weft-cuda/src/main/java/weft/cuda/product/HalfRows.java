package weft.cuda.product;

import static weft.cuda.ptx.Imm.imm;
import static weft.cuda.ptx.Imm.real;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import weft.cuda.driver.Driver.Grid;
import weft.cuda.ptx.Cache;
import weft.cuda.ptx.Compare;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.PtxFunction;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.B64;
import weft.cuda.ptx.Reg.F32;
import weft.cuda.ptx.Special;
import weft.cuda.ptx.TensorElement;

/**
 * Rows of activations as halves, after a norm where one comes first: row by row as {@link
 * TensorProduct} takes them, or as {@link SomeRows} has them.
 */
final class HalfRows {
  private static final int THREADS = 256;
  private static final int WARPS = THREADS / 32;

  /** The largest half. */
  private static final float LARGEST = 65504;

  private final Product product;
  private final SomeRows to;
  private final boolean isPlain;
  private final PtxWriter w;

  private HalfRows(Product product, int rows, boolean isPlain) {
    this.product = product;
    this.isPlain = isPlain;
    to = new SomeRows(product.layout(), rows);
    w = new PtxWriter(name());
  }

  /** As {@link SomeRows} has so many. */
  static HalfRows some(Product product, int rows) {
    return new HalfRows(product, rows, false);
  }

  /** Row by row. */
  static HalfRows plain(Product product) {
    return new HalfRows(product, ProductKernels.SOME, true);
  }

  /** Products of one width, order and norm share theirs. */
  private String name() {
    var norm = product.norm().map(Product.Norm::name).orElse("");
    var element = to.element().name().toLowerCase(Locale.ROOT);
    if (isPlain) return "halves_%s_%d%s".formatted(element, product.columns(), norm);
    var order = to.isByRuns() ? "runs" : element;
    return "halves%d_%s_%d%s".formatted(to.rows(), order, product.columns(), norm);
  }

  Grid grid(int count) {
    int rows = isPlain ? count : Math.ceilDiv(count, to.rows()) * to.rows();
    return Grid.of(rows, THREADS);
  }

  /** Parameters: rows of floats, their stride, the halves, how many rows, a norm's weights. */
  PtxFunction function() {
    w.mostThreads(THREADS);
    var x = w.address("x");
    var stride = w.word("x_stride");
    var halves = w.address("halves");
    var count = w.word("rows");
    Optional<B64> norm = product.norm().map(_ -> w.address("norm"));
    var row = w.called("row").read(Special.CTAID_X);
    var thread = w.called("thread").read(Special.TID_X);
    var there = w.minUnsigned(row, w.sub(count, imm(1)));
    var from = w.called("from").madWide(w.mul(there, stride), imm(Float.BYTES), x);
    var factor = norm.map(_ -> factor(from, thread));
    w.note("eight values a thread and turn");
    var tile = tile(row);
    w.count(
        "vector",
        thread,
        imm(isPlain ? product.columns() / 8 : to.pieces() * SomeRows.VECTORS),
        imm(THREADS),
        vector -> {
          var isThere =
              w.and(
                  w.isUnsigned(Compare.LT, row, count),
                  w.isUnsigned(Compare.LT, vector, imm(product.columns() / 8)));
          var mine = w.minUnsigned(vector, imm(product.columns() / 8 - 1));
          var values = new ArrayList<>(eight(from, mine));
          if (norm.isPresent()) {
            var weights = eight(norm.get(), mine);
            float offset = product.norm().orElseThrow().offset();
            for (int i = 0; i < 8; i++) {
              var weight = offset == 0 ? weights.get(i) : w.add(weights.get(i), real(offset));
              values.set(i, w.mul(w.mul(values.get(i), factor.orElseThrow()), weight));
            }
          }
          values.replaceAll(value -> w.select(isThere, inRange(value), real(0)));
          store(values, place(halves, tile, row, vector));
        });
    return w.function();
  }

  private List<F32> eight(B64 from, B32 vector) {
    var at = Mem.global(w.madWide(vector, imm(8 * Float.BYTES), from));
    var values = new ArrayList<>(w.loadReals(4, at, Cache.PLAIN));
    values.addAll(w.loadReals(4, at.plus(4 * Float.BYTES), Cache.PLAIN));
    return values;
  }

  /** What a row's values are multiplied by. */
  private F32 factor(B64 from, B32 thread) {
    w.note("the row's squares, added up by all threads");
    var squares = w.called("squares").mov(real(0));
    w.count(
        "squared",
        thread,
        imm(product.columns() / 8),
        imm(THREADS),
        vector -> eight(from, vector).forEach(x -> w.into(squares).fma(x, x, squares)));
    VectorShape.addLanes(w, squares);
    var sums = w.addressOf(w.shared("sums", WARPS * Float.BYTES, 16));
    var warp = Mem.shared(w.mad(w.shr(thread, imm(5)), imm(Float.BYTES), sums));
    w.guarded(w.is(Compare.EQ, w.and(thread, imm(31)), imm(0)), () -> w.store(warp, squares));
    w.barrier();
    var all = w.called("all").mov(real(0));
    for (int i = 0; i < WARPS; i += 4) {
      for (var part : w.loadReals(4, Mem.shared(sums).plus(i * Float.BYTES), Cache.PLAIN)) {
        w.into(all).add(all, part);
      }
    }
    float eps = product.norm().orElseThrow().eps();
    var mean = w.fma(all, real(1f / product.columns()), real(eps));
    return w.called("factor").div(real(1), w.sqrt(mean));
  }

  /** The eight of rows that a row is of. */
  private B32 tile(B32 row) {
    int eights = to.rows() / 8;
    var eight = w.shr(row, imm(3));
    if (to.parts() == 1) return eight;
    // Second halves of so many rows come before the next rows.
    return w.add(eight, w.mul(w.div(eight, imm(eights)), imm(eights)));
  }

  private Mem place(B64 halves, B32 tile, B32 row, B32 vector) {
    if (isPlain) {
      var begin = w.madWide(row, imm(Short.BYTES * product.columns()), halves);
      return Mem.global(w.madWide(vector, imm(16), begin));
    }
    var piece = w.mad(tile, imm(to.pieces()), w.shr(vector, imm(4)));
    var inner = w.and(vector, imm(3));
    var outer = w.and(w.shr(vector, imm(2)), imm(3));
    var load = to.isByRuns() ? inner : outer;
    var lane = w.mad(w.and(row, imm(7)), imm(4), to.isByRuns() ? outer : inner);
    var at = w.mul(w.mad(load, imm(32), lane), imm(16));
    var there = w.madWide(piece, imm(SomeRows.TILE_BYTES), halves);
    return Mem.global(w.add(there, w.wide(at)));
  }

  private void store(List<F32> values, Mem at) {
    var first = new ArrayList<B32>();
    var second = new ArrayList<B32>();
    for (int i = 0; i < 8; i += 2) {
      var low = values.get(i);
      var high = values.get(i + 1);
      var pair = pair(low, high);
      first.add(pair);
      if (isSplit()) second.add(pair(w.sub(low, low(pair)), w.sub(high, high(pair))));
    }
    w.storeWords(at, first);
    int beyond = to.rows() / 8 * to.pieces() * SomeRows.TILE_BYTES;
    if (isSplit()) w.storeWords(at.plus(beyond), second);
  }

  private boolean isSplit() {
    return !isPlain && to.parts() == 2;
  }

  private boolean isBfloat() {
    return to.element() == TensorElement.BF16;
  }

  private B32 pair(F32 low, F32 high) {
    return isBfloat() ? w.toBfloats(low, high) : w.toHalves(low, high);
  }

  private F32 low(B32 pair) {
    return isBfloat() ? w.lowBfloat(pair) : w.toReal(w.lowHalf(pair));
  }

  private F32 high(B32 pair) {
    return isBfloat() ? w.highBfloat(pair) : w.toReal(w.highHalf(pair));
  }

  /** What halves cannot be becomes the largest that they can; bfloat16 has the range of floats. */
  private F32 inRange(F32 value) {
    if (isBfloat()) return value;
    return w.minOrNone(w.maxOrNone(value, real(-LARGEST)), real(LARGEST));
  }
}
