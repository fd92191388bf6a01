package weft.cuda.kernel;

import static weft.cuda.ptx.Imm.imm;

import java.util.List;
import java.util.function.Function;
import weft.backend.HostRow;
import weft.cuda.ptx.Compare;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.PtxFunction;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.B64;
import weft.cuda.ptx.Special;

/**
 * The greatest elements of each row in their order, by the {@link Peaks} of its runs, of rows that
 * are finite: a block a row sorts the runs by their peaks, then the elements of as many as there
 * are elements asked for.
 */
public record Best(Peaks peaks) {
  /** How many of a row there are: what a draw is most often among. */
  public static final int COUNT = 64;

  /** A row's: each an index and a value. */
  public static final int BYTES = COUNT * (Integer.BYTES + Float.BYTES);

  public static final int THREADS = 512;

  /** What is sorted at once: the elements of so many runs. */
  private static final int ROOM = COUNT * HostRow.RUN;

  public Best {
    if (peaks.width() < COUNT) {
      throw new IllegalArgumentException(COUNT + " are asked for, got " + peaks);
    }
  }

  /** Parameters: the elements, the peaks, the rows. */
  public PtxFunction kernel() {
    var w = new PtxWriter(Code.name("best", this));
    w.mostThreads(THREADS);
    var best = w.address("best");
    var found = w.address("peaks");
    var rows = w.address("rows");
    var row = w.called("row").read(Special.CTAID_X);
    var thread = w.called("thread").read(Special.TID_X);
    w.into(best).add(best, w.mulWide(row, imm(BYTES)));
    w.into(found).add(found, w.mulWide(row, imm(peaks.runs() * Float.BYTES)));
    w.into(rows).add(rows, w.mulWide(row, imm(peaks.stride() * Float.BYTES)));
    var sorter = new Sorter(w, thread, w.addressOf(w.shared("ranks", ROOM * Long.BYTES, 16)));
    w.note("runs by their peaks");
    sorter.rank(peaks.runs(), run -> sorter.at(found, run, peaks.runs()));
    int leading = Math.min(COUNT, peaks.runs());
    w.note("a thread keeps the run that it reads of, before ranks of elements take their place");
    w.when(
        w.isUnsigned(Compare.LT, thread, imm(leading)),
        () -> {
          var run = sorter.rank.indexOf(w.loadWide(sorter.place(thread)));
          w.store(sorter.kept(thread), run);
        });
    w.barrier();
    sorter.rank(
        leading * HostRow.RUN,
        i -> {
          var run = w.load(sorter.kept(w.shr(i, imm(Integer.numberOfTrailingZeros(HostRow.RUN)))));
          var element = w.mad(run, imm(HostRow.RUN), w.and(i, imm(HostRow.RUN - 1)));
          return sorter.at(rows, element, peaks.width());
        });
    w.when(
        w.isUnsigned(Compare.LT, thread, imm(COUNT)),
        () -> {
          var rank = w.loadWide(sorter.place(thread));
          var to = Mem.global(w.madWide(thread, imm(Long.BYTES), best));
          w.storeWords(to, List.of(sorter.rank.indexOf(rank), sorter.rank.valueOf(rank)));
        });
    return w.function();
  }

  /** Ranks in shared memory, the greatest first. */
  private static final class Sorter {
    private final PtxWriter w;
    private final Rank rank;
    private final B32 thread;
    private final B32 ranks;
    private final B32 runs;

    private Sorter(PtxWriter w, B32 thread, B32 ranks) {
      this.w = w;
      this.rank = new Rank(w);
      this.thread = thread;
      this.ranks = ranks;
      this.runs = w.addressOf(w.shared("runs", COUNT * Integer.BYTES, 16));
    }

    private Mem place(B32 index) {
      return Mem.shared(w.mad(index, imm(Long.BYTES), ranks));
    }

    private Mem kept(B32 index) {
      return Mem.shared(w.mad(index, imm(Integer.BYTES), runs));
    }

    /** The rank of an element, or none where there are not so many. */
    private B64 at(B64 memory, B32 index, int size) {
      var inside = w.minUnsigned(index, imm(size - 1));
      var value = w.loadReal(Mem.global(w.madWide(inside, imm(Float.BYTES), memory)));
      var isInside = w.isUnsigned(Compare.LT, index, imm(size));
      return w.select(isInside, rank.of(value, index), Rank.NONE);
    }

    /** The first of so many in their order; as many at a time as there is room for. */
    private void rank(int total, Function<B32, B64> ranked) {
      int kept = 0;
      for (int from = 0; from < total; ) {
        int count = Math.min(ROOM - kept, total - from);
        int size = Math.max(2, Integer.highestOneBit(2 * (kept + count) - 1));
        fill(from, kept, count, size, ranked);
        w.barrier();
        sort(size);
        from += count;
        kept = COUNT;
      }
    }

    private void fill(int from, int kept, int count, int size, Function<B32, B64> ranked) {
      w.count(
          "i",
          thread,
          imm(size - kept),
          imm(THREADS),
          i -> {
            var value = w.called("value").mov(Rank.NONE);
            w.when(
                w.isUnsigned(Compare.LT, i, imm(count)),
                () -> w.into(value).mov(ranked.apply(w.add(i, imm(from)))));
            w.store(place(w.add(i, imm(kept))), value);
          });
    }

    /** A bitonic sort: runs of {@code length} become sorted, every other one upwards. */
    private void sort(int size) {
      var length = w.called("length").mov(imm(2));
      w.whileTrue(
          () -> w.isUnsigned(Compare.LE, length, imm(size)),
          () -> {
            var apart = w.called("apart").shr(length, imm(1));
            w.whileTrue(
                () -> w.isUnsigned(Compare.GT, apart, imm(0)),
                () -> {
                  w.count(
                      "pair",
                      thread,
                      imm(size / 2),
                      imm(THREADS),
                      pair -> exchange(pair, apart, length));
                  w.barrier();
                  w.into(apart).shr(apart, imm(1));
                });
            w.into(length).shl(length, imm(1));
          });
    }

    private void exchange(B32 pair, B32 apart, B32 length) {
      var below = w.and(pair, w.sub(apart, imm(1)));
      var index = w.add(w.shl(w.sub(pair, below), imm(1)), below);
      var one = place(index);
      var other = Mem.shared(w.mad(w.add(index, apart), imm(Long.BYTES), ranks));
      var a = w.loadWide(one);
      var b = w.loadWide(other);
      var greater = rank.greater(a, b);
      var lesser = rank.lesser(a, b);
      var isDown = w.is(Compare.EQ, w.and(index, length), imm(0));
      w.store(one, w.select(isDown, greater, lesser));
      w.store(other, w.select(isDown, lesser, greater));
    }
  }
}
