package weft.cuda.kernel;

import static weft.cuda.ptx.Imm.imm;
import static weft.cuda.ptx.Imm.real;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import weft.backend.KvLayout;
import weft.backend.KvType;
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
import weft.ir.Op;
import weft.ir.Slot;

/**
 * Attention of single rows, the heads that share keys together: a block has a row, up to eight such
 * heads and a share of the positions, which its warps divide, so that each key and value is read
 * once, straight into the registers that tensor cores take it from.
 *
 * <p>Of the sixteen rows that tensor cores multiply, the second eight have what the halves of the
 * first eight lack of floats: queries and weights of positions are sums of two halves each, keys
 * and values are the halves that are kept, and results are as good as those of floats.
 *
 * @param heads of queries
 * @param q rows of heads of float32 behind each other, turned already
 * @param result rows of heads of float32; where there are several shares, not written to
 * @param partBytes from one sequence's addresses to the next one's
 * @param shares whether {@link Merge} joins several blocks' shares of a row
 */
public record AttendGroup(
    Slot.KeyValue slot,
    KvType type,
    int heads,
    Op.Scores scores,
    Strided q,
    Strided result,
    int partBytes,
    boolean shares) {
  public static final int THREADS = 128;

  private static final int WARPS = THREADS / 32;
  private static final int QUERIES = 8;

  /** Queries of so many elements stay in registers. */
  private static final int NARROW = 128;

  public AttendGroup {
    slot = KvCode.unnamed(slot);
  }

  /** Whether heads are kept in a way that tensor cores take without a loss. */
  public static boolean takes(Slot.KeyValue slot, KvType type) {
    return GroupVectors.takes(KvLayout.of(slot, type));
  }

  private int group() {
    return heads / slot.heads();
  }

  private int chunks() {
    return Math.ceilDiv(group(), QUERIES);
  }

  /** Blocks of a row and share. */
  public int blocks() {
    return slot.heads() * chunks();
  }

  /** Positions that a warp takes at once: as many as registers hold. */
  private int step() {
    int width = Math.max(slot.keyDim(), slot.valueDim());
    return width <= 64 ? 64 : width <= 128 ? 32 : 16;
  }

  /**
   * Parameters: the result or the shares, queries; per row its place, what it sees, its sequence.
   */
  public PtxFunction kernel() {
    var kind = shares ? "attend_group_share" : "attend_group";
    return new Writing(new PtxWriter(Code.name(kind, this))).function();
  }

  /** The kernel as it is written. */
  private final class Writing {
    private final PtxWriter w;
    private final ScoreCode scoring;
    private final GroupVectors vectors;
    private final B64 to;
    private final B64 queries;
    private final B32 row;
    private final B32 thread;
    private final B32 lane;
    private final B32 warp;
    private final B32 keyHead;
    private final B32 firstHead;
    private final B32 last;
    private final B32 oldest;
    private final B64 table;
    private final F32 greatest;
    private final F32 total;
    private final List<List<F32>> values;

    Writing(PtxWriter w) {
      this.w = w;
      this.scoring = new ScoreCode(w, scores);
      w.mostThreads(THREADS);
      w.letNextBegin();
      to = w.address("result");
      queries = w.address("q");
      var places = w.address("places");
      var starts = w.address("starts");
      var ends = w.address("ends");
      var owners = w.address("owners");
      var tables = w.address("tables");
      row = w.called("row").read(Special.CTAID_Y);
      thread = w.called("thread").read(Special.TID_X);
      lane = w.called("lane").and(thread, imm(31));
      warp = w.called("warp").shr(thread, imm(5));
      var block = w.read(Special.CTAID_X);
      keyHead = w.called("key_head").div(block, imm(chunks()));
      firstHead = w.called("first_head").rem(block, imm(chunks()));
      w.into(firstHead).mul(firstHead, imm(QUERIES));
      w.note("what the row sees, and where its sequence has its pages");
      last = w.called("last").mov(at(ends));
      oldest = w.called("oldest").mov(imm(0));
      if (slot.isWindowed()) {
        w.into(oldest).max(w.sub(at(places), imm(slot.window() - 1)), imm(0));
        w.into(oldest).min(oldest, at(starts));
      }
      var part = Mem.global(w.madWide(at(owners), imm(partBytes), tables));
      table = w.called("table").mov(w.loadWide(part));
      vectors = new GroupVectors(w, KvLayout.of(slot, type), keyHead, lane, last);
      greatest = w.called("greatest").mov(real(Float.NEGATIVE_INFINITY));
      total = w.called("total").mov(real(0));
      values = sums("value", slot.valueDim() / 8);
    }

    private B32 at(B64 list) {
      return w.load(Mem.global(w.madWide(row, imm(Integer.BYTES), list)));
    }

    private List<List<F32>> sums(String name, int tiles) {
      return Stream.generate(
              () -> Stream.generate(() -> w.called(name).mov(real(0))).limit(4).toList())
          .limit(tiles)
          .toList();
    }

    PtxFunction function() {
      int shift = Integer.numberOfTrailingZeros(step());
      var step = w.called("step").shr(oldest, imm(shift));
      var end = w.called("end_step").add(w.shr(last, imm(shift)), imm(1));
      if (shares) {
        w.note("the share's steps, which its warps divide");
        var count = w.read(Special.NCTAID_Z);
        var each = w.div(w.add(w.sub(end, step), w.sub(count, imm(1))), count);
        w.into(step).mad(w.read(Special.CTAID_Z), each, step);
        w.into(end).minUnsigned(end, w.add(step, each));
      }
      w.into(step).add(step, warp);
      var lastStep = w.shr(last, imm(shift));
      var page = w.called("page").mov(page(w.minUnsigned(step, lastStep)));
      // All until here is of the step's lists; queries, keys and values are earlier launches'.
      w.awaitLast();
      var factors = found(factors());
      w.whileTrue(
          () -> w.isUnsigned(Compare.LT, step, end),
          () -> {
            var next = w.add(step, imm(WARPS));
            var nextPage = page(w.minUnsigned(next, lastStep));
            positions(factors, page, w.called("first").mul(step, imm(step())));
            w.into(page).mov(nextPage);
            w.into(step).mov(next);
          });
      join();
      return w.function();
    }

    private B64 page(B32 step) {
      int shift = Integer.numberOfTrailingZeros(KvLayout.POSITIONS / step());
      var number = shift == 0 ? step : w.shr(step, imm(shift));
      return w.loadWide(Mem.global(w.madWide(number, imm(Long.BYTES), table)));
    }

    /** The query that a lane knows of, one of the block's eight; beyond the last it is the last. */
    private B32 head() {
      var mine = w.add(firstHead, w.shr(lane, imm(2)));
      return w.mad(keyHead, imm(group()), w.minUnsigned(mine, imm(group() - 1)));
    }

    /**
     * A query's elements as a lane's keys have them: for each k-step halves, and what they lack.
     */
    private List<List<B32>> factors() {
      w.note("the lane's part of its query, scaled, as sums of two halves");
      int size = vectors.keyVector();
      var element = w.mad(row, imm(q.strides().get(0)), w.mul(w.and(lane, imm(3)), imm(size)));
      w.into(element).mad(head(), imm(q.strides().get(1)), element);
      var from = Mem.global(w.madWide(element, imm(Float.BYTES), queries));
      var factors = new ArrayList<List<B32>>();
      for (int chunk = 0; chunk < slot.keyDim(); chunk += 4 * size) {
        for (int i = 0; i < size; i += 4) {
          var four =
              w.loadReals(4, from.plus((chunk + i) * Float.BYTES), Cache.PLAIN).stream()
                  .map(scoring::scaled)
                  .toList();
          var low = w.called("q").toHalves(four.get(0), four.get(1));
          var high = w.called("q").toHalves(four.get(2), four.get(3));
          var lowRest = w.called("q_rest").mov(scoring.rest(low, four.get(0), four.get(1)));
          var highRest = w.called("q_rest").mov(scoring.rest(high, four.get(2), four.get(3)));
          factors.add(List.of(low, lowRest, high, highRest));
        }
      }
      return factors;
    }

    /** Where a k-step's factors are found. */
    private IntFunction<List<B32>> found(List<List<B32>> factors) {
      if (slot.keyDim() <= NARROW) return factors::get;
      w.note("for registers cannot hold so wide a query, warps read it where the first puts it");
      var memory = w.shared("queries", factors.size() * 32 * 16, 16);
      var mine = Mem.shared(w.called("query").mad(lane, imm(16), w.addressOf(memory)));
      w.guarded(
          w.is(Compare.EQ, warp, imm(0)),
          () -> {
            for (int k = 0; k < factors.size(); k++) {
              w.storeWords(mine.plus(k * 32 * 16), factors.get(k));
            }
          });
      w.barrier();
      return k -> w.loadWords(4, mine.plus(k * 32 * 16), Cache.PLAIN);
    }

    /** Some positions of a page, from {@code first} on. */
    private void positions(IntFunction<List<B32>> factors, B64 page, B32 first) {
      w.note("keys of " + step() + " positions, on their way together");
      var keys = new ArrayList<List<B32>>();
      for (int n = 0; n < step(); n += 8) keys.add(vectors.keys(page, w.add(first, imm(n))));
      // Where registers are left, values are on their way, too.
      boolean isEarly = step() == KvLayout.POSITIONS;
      var early = isEarly ? List.copyOf(values(page, first)) : List.<GroupVectors.Sixteen>of();
      var scored = new ArrayList<F32>();
      for (var tile : keys) {
        var sums = sums("score", 1).getFirst();
        for (int k = 0; k < slot.keyDim() / 16; k++) {
          w.multiply(TensorElement.F16, sums, factors.apply(k), tile.subList(2 * k, 2 * k + 2));
        }
        for (int side = 0; side < 2; side++) {
          scored.add(scoring.capped(w.add(sums.get(side), sums.get(side + 2))));
        }
      }
      mask(scored, first);
      weigh(scored);
      var sixteens = isEarly ? early : values(page, first);
      for (int j = 0; j < sixteens.size(); j++) {
        add(scored.subList(4 * j, 4 * j + 4), sixteens.get(j));
      }
    }

    private List<GroupVectors.Sixteen> values(B64 page, B32 first) {
      w.note("their values");
      var all = new ArrayList<GroupVectors.Sixteen>();
      for (int n = 0; n < step(); n += 16) all.add(vectors.values(page, w.add(first, imm(n))));
      return all;
    }

    private void mask(List<F32> scored, B32 first) {
      var isOld = w.isUnsigned(Compare.LT, first, oldest);
      var isLate = w.isUnsigned(Compare.GT, w.add(first, imm(step() - 1)), last);
      w.when(
          w.or(isOld, isLate),
          () -> {
            var span = w.sub(last, oldest);
            var from = w.sub(w.mad(w.and(lane, imm(3)), imm(2), first), oldest);
            for (int i = 0; i < scored.size(); i++) {
              var score = scored.get(i);
              var place = w.add(from, imm(i / 2 * 8 + i % 2));
              var sees = w.isUnsigned(Compare.LE, place, span);
              w.into(score).select(sees, score, real(Float.NEGATIVE_INFINITY));
            }
          });
    }

    /** Scores become weights of the greatest so far, and what is known is multiplied by its own. */
    private void weigh(List<F32> scored) {
      w.note("scores become weights");
      var here = w.called("greatest_here").mov(scored.getFirst());
      for (var score : scored.subList(1, scored.size())) w.into(here).max(here, score);
      for (int bits : new int[] {1, 2}) w.into(here).max(here, w.shuffleXor(here, bits));
      w.into(here).max(here, greatest);
      var base = base(here);
      var keep = w.called("keep").exp2Approx(w.sub(greatest, base));
      w.into(greatest).mov(here);
      w.into(total).mul(total, keep);
      for (var score : scored) {
        w.into(score).exp2Approx(w.sub(score, base));
        w.into(total).add(total, score);
      }
      for (var tile : values) for (var value : tile) w.into(value).mul(value, keep);
    }

    /** The greatest, or zero where nothing was seen yet. */
    private F32 base(F32 greatest) {
      var isNone = w.is(Compare.EQ, greatest, real(Float.NEGATIVE_INFINITY));
      return w.select(isNone, real(0), greatest);
    }

    private void add(List<F32> weights, GroupVectors.Sixteen sixteen) {
      var factors = new ArrayList<B32>();
      for (int i = 0; i < 4; i += 2) {
        var halves = w.toHalves(weights.get(i), weights.get(i + 1));
        factors.add(halves);
        factors.add(scoring.rest(halves, weights.get(i), weights.get(i + 1)));
      }
      for (int n = 0; n < values.size(); n++) {
        w.multiply(TensorElement.F16, values.get(n), factors, vectors.pairs(sixteen, n));
      }
    }

    /** Warps leave what they know, and threads have an element of a query each. */
    private void join() {
      int width = slot.valueDim();
      int stride = QUERIES * (width + 2) * Float.BYTES;
      var left = w.called("left").addressOf(w.shared("left", WARPS * stride, 16));
      w.note("what a warp knows of its queries: the greatest, the sum of weights, values");
      for (int bits : new int[] {1, 2}) w.into(total).add(total, w.shuffleXor(total, bits));
      var query = w.shr(lane, imm(2));
      var mine = w.mad(warp, imm(stride), left);
      w.into(mine).mad(query, imm((width + 2) * Float.BYTES), mine);
      var column = w.and(lane, imm(3));
      w.guarded(
          w.is(Compare.EQ, column, imm(0)),
          () -> {
            w.store(Mem.shared(mine), greatest);
            w.store(Mem.shared(mine).plus(Float.BYTES), total);
          });
      int size = vectors.valueVector();
      var element = Mem.shared(w.mad(column, imm(2 * size * Float.BYTES), mine));
      for (int n = 0; n < values.size(); n++) {
        for (int side = 0; side < 2; side++) {
          int d = n / size * 8 * size + side * size + n % size;
          var value = w.add(values.get(n).get(side), values.get(n).get(side + 2));
          w.store(element.plus((2 + d) * Float.BYTES), value);
        }
      }
      w.barrier();
      var count = w.minUnsigned(w.sub(imm(group()), firstHead), imm(QUERIES));
      w.count(
          "element",
          thread,
          w.mul(count, imm(width)),
          imm(THREADS),
          each -> {
            var of = w.div(each, imm(width));
            finish(left, stride, of, w.sub(each, w.mul(of, imm(width))));
          });
    }

    private void finish(B32 left, int stride, B32 query, B32 d) {
      var at = w.mad(query, imm((slot.valueDim() + 2) * Float.BYTES), left);
      var from = Mem.shared(at);
      var value = Mem.shared(w.mad(d, imm(Float.BYTES), at));
      var known = new ArrayList<F32>();
      for (int i = 0; i < WARPS; i++) known.add(w.loadReal(from.plus(i * stride)));
      var most = w.called("most").mov(known.getFirst());
      for (var each : known) w.into(most).max(most, each);
      var base = base(most);
      var sum = w.called("sum").mov(real(0));
      var weights = w.called("weights").mov(real(0));
      for (int i = 0; i < WARPS; i++) {
        var factor = w.exp2Approx(w.sub(known.get(i), base));
        w.into(weights).fma(w.loadReal(from.plus(i * stride + Float.BYTES)), factor, weights);
        w.into(sum).fma(w.loadReal(value.plus(i * stride + 2 * Float.BYTES)), factor, sum);
      }
      var head = w.mad(keyHead, imm(group()), w.add(firstHead, query));
      if (shares) {
        leave(head, d, most, weights, sum);
      } else {
        var strides = result.strides();
        var element = w.mad(row, imm(strides.get(0)), w.mul(d, imm(strides.getLast())));
        w.into(element).mad(head, imm(strides.get(1)), element);
        w.store(Mem.global(w.madWide(element, imm(Float.BYTES), to)), w.div(sum, weights));
      }
    }

    private void leave(B32 head, B32 d, F32 most, F32 weights, F32 sum) {
      var share = w.mad(row, imm(heads), head);
      w.into(share).mad(share, w.read(Special.NCTAID_Z), w.read(Special.CTAID_Z));
      var floats = w.mulWide(share, imm(Merge.floats(slot.valueDim()) * Float.BYTES));
      var there = w.add(to, floats);
      w.guarded(
          w.is(Compare.EQ, d, imm(0)),
          () -> {
            w.store(Mem.global(there), most);
            w.store(Mem.global(there).plus(Float.BYTES), weights);
          });
      var at = Mem.global(w.madWide(d, imm(Float.BYTES), there));
      w.store(at.plus(2 * Float.BYTES), sum);
    }
  }
}
