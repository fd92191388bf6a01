package weft.cuda.kernel;

import static weft.cuda.ptx.Imm.bits;
import static weft.cuda.ptx.Imm.imm;

import java.util.ArrayList;
import java.util.List;
import weft.backend.HostRow;
import weft.cuda.ptx.Compare;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.PtxFunction;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.B64;
import weft.cuda.ptx.Reg.F32;
import weft.cuda.ptx.Reg.Pred;
import weft.cuda.ptx.Special;

/**
 * The two greatest elements of each row, by the {@link Peaks} of its runs: a block a row. The lower
 * index leads among equals. They lie in the two runs that lead by their peaks, the lower ones among
 * equals, for what is in a lower run has a lower index.
 */
public record Leaders(Peaks peaks) {
  /** How many of a row there are. */
  public static final int COUNT = 2;

  /** A row's: an index and a value, twice; the first value is none where one is not finite. */
  public static final int BYTES = COUNT * (Integer.BYTES + Float.BYTES);

  public static final int THREADS = 256;

  private static final int WARPS = THREADS / 32;

  /** Peaks of a thread that are on their way at once. */
  private static final int AT_ONCE = 8;

  private static final int NAN = 0x7FFF_FFFF;

  public Leaders {
    if (peaks.runs() < COUNT) {
      throw new IllegalArgumentException("leaders of two runs or more, got " + peaks);
    }
  }

  /** Parameters: the leaders, the peaks, the rows. */
  public PtxFunction kernel() {
    var w = new PtxWriter(Code.name("leaders", this));
    w.mostThreads(THREADS);
    var leaders = w.address("leaders");
    var found = w.address("peaks");
    var rows = w.address("rows");
    var row = w.called("row").read(Special.CTAID_X);
    var thread = w.called("thread").read(Special.TID_X);
    var lane = w.called("lane").and(thread, imm(31));
    var warp = w.called("warp").shr(thread, imm(5));
    w.into(found).add(found, w.mulWide(row, imm(peaks.runs() * Float.BYTES)));
    var pair = new Pair(w);
    w.count(
        "run",
        thread,
        imm(peaks.runs()),
        imm(AT_ONCE * THREADS),
        run -> pair.show(found, run, AT_ONCE, THREADS, peaks.runs()));
    pair.joinLanes();
    var shared = w.shared("pairs", WARPS * 2 * Long.BYTES, 16);
    var pairs = w.called("pairs").addressOf(shared);
    var mine = Mem.shared(w.mad(warp, imm(2 * Long.BYTES), pairs));
    w.guarded(w.is(Compare.EQ, lane, imm(0)), () -> pair.store(mine));
    w.barrier();
    w.exitWhen(w.is(Compare.NE, warp, imm(0)));
    w.note("one warp goes on, with what each has found");
    var others = Mem.shared(w.mad(w.and(lane, imm(WARPS - 1)), imm(2 * Long.BYTES), pairs));
    pair.take(others, w.isUnsigned(Compare.LT, lane, imm(WARPS)));
    pair.joinLanes();
    w.note("the runs that lead have the elements that do");
    var isBroken = w.is(Compare.EQ, w.low(w.shr(pair.first, imm(32))), bits(-1));
    var runs = List.of(pair.rank.indexOf(pair.first), pair.rank.indexOf(pair.second));
    w.into(rows).add(rows, w.mulWide(row, imm(peaks.stride() * Float.BYTES)));
    pair.clear();
    for (var run : runs) {
      var from = w.mad(run, imm(HostRow.RUN), lane);
      pair.show(rows, from, HostRow.RUN / 32, 32, peaks.width());
    }
    pair.joinLanes();
    var value = pair.rank.valueOf(pair.first);
    w.into(value).select(isBroken, bits(NAN), value);
    var words =
        List.of(
            pair.rank.indexOf(pair.first),
            value,
            pair.rank.indexOf(pair.second),
            pair.rank.valueOf(pair.second));
    var to = Mem.global(w.madWide(row, imm(BYTES), leaders));
    w.guarded(w.is(Compare.EQ, lane, imm(0)), () -> w.storeWords(to, words));
    return w.function();
  }

  /** The two that rank first of those that a thread was shown. */
  private static final class Pair {
    private final PtxWriter w;
    private final Rank rank;
    private final B64 first;
    private final B64 second;

    private Pair(PtxWriter w) {
      this.w = w;
      this.rank = new Rank(w);
      this.first = w.called("first").mov(Rank.NONE);
      this.second = w.called("second").mov(Rank.NONE);
    }

    private void clear() {
      w.into(first).mov(Rank.NONE);
      w.into(second).mov(Rank.NONE);
    }

    /** Shows so many of {@code size} elements, each so far from the last. */
    private void show(B64 memory, B32 from, int count, int apart, int size) {
      var indexes = new ArrayList<B32>();
      var values = new ArrayList<F32>();
      for (int i = 0; i < count; i++) {
        indexes.add(w.add(from, imm(i * apart)));
        var inside = w.minUnsigned(indexes.get(i), imm(size - 1));
        values.add(w.loadReal(Mem.global(w.madWide(inside, imm(Float.BYTES), memory))));
      }
      for (int i = 0; i < count; i++) {
        var isInside = w.isUnsigned(Compare.LT, indexes.get(i), imm(size));
        show(w.select(isInside, rank.of(values.get(i), indexes.get(i)), Rank.NONE));
      }
    }

    private void show(B64 shown) {
      var behind = rank.lesser(first, shown);
      w.into(first).mov(rank.greater(first, shown));
      w.into(second).mov(rank.greater(second, behind));
    }

    private void joinLanes() {
      for (int bits = 16; bits > 0; bits /= 2) {
        var otherSecond = rank.ofLane(second, bits);
        show(rank.ofLane(first, bits));
        w.into(second).mov(rank.greater(second, otherSecond));
      }
    }

    private void store(Mem to) {
      w.store(to, first);
      w.store(to.plus(Long.BYTES), second);
    }

    private void take(Mem from, Pred isThere) {
      w.into(first).select(isThere, w.loadWide(from), Rank.NONE);
      w.into(second).select(isThere, w.loadWide(from.plus(Long.BYTES)), Rank.NONE);
    }
  }
}
