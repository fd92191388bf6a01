package weft.cuda.kernel;

import static weft.cuda.ptx.Imm.imm;
import static weft.cuda.ptx.Imm.real;

import java.util.ArrayList;
import java.util.List;
import weft.backend.HostRow;
import weft.cuda.ptx.Cache;
import weft.cuda.ptx.Compare;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.PtxFunction;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.B64;
import weft.cuda.ptx.Reg.F32;
import weft.cuda.ptx.Special;

/**
 * The greatest of each run of a row's neighbours, no number where one of them is not finite: 16
 * lanes a run, four elements each, and several runs on their way at once.
 *
 * @param stride from one row to the next
 * @param isAligned whether rows begin at multiples of 16 bytes
 */
public record Peaks(int width, int stride, boolean isAligned) {
  public static final int THREADS = 256;

  /** Elements of a lane: what one load brings. */
  private static final int EACH = 4;

  private static final int LANES = HostRow.RUN / EACH;

  /** Runs that a lane has to do with. */
  private static final int AT_ONCE = 4;

  private static final int TOGETHER = THREADS / LANES;

  public static final int RUNS_A_BLOCK = TOGETHER * AT_ONCE;

  public int runs() {
    return Math.ceilDiv(width, HostRow.RUN);
  }

  /** Parameters: the peaks, the rows. */
  public PtxFunction kernel() {
    var w = new PtxWriter(Code.name("peaks", this));
    w.mostThreads(THREADS);
    var peaks = w.address("peaks");
    var rows = w.address("rows");
    var row = w.called("row").read(Special.CTAID_Y);
    var thread = w.called("thread").read(Special.TID_X);
    var lane = w.called("lane").and(thread, imm(LANES - 1));
    var first = w.called("first").shr(thread, imm(Integer.numberOfTrailingZeros(LANES)));
    w.into(first).mad(w.read(Special.CTAID_X), imm(RUNS_A_BLOCK), first);
    w.into(rows).add(rows, w.mulWide(row, imm(stride * Float.BYTES)));
    w.into(peaks).add(peaks, w.mulWide(row, imm(runs() * Float.BYTES)));
    var begins = w.called("begin").mad(first, imm(HostRow.RUN), w.mul(lane, imm(EACH)));
    var loaded = new ArrayList<List<F32>>();
    for (int i = 0; i < AT_ONCE; i++) {
      loaded.add(elements(w, rows, w.add(begins, imm(i * TOGETHER * HostRow.RUN))));
    }
    for (int i = 0; i < AT_ONCE; i++) {
      var peak = w.called("peak").mov(loaded.get(i).getFirst());
      for (var other : loaded.get(i).subList(1, EACH)) w.into(peak).maxOrNone(peak, other);
      for (int bits = LANES / 2; bits > 0; bits /= 2) {
        w.into(peak).maxOrNone(peak, w.shuffleXor(peak, bits));
      }
      var run = w.add(first, imm(i * TOGETHER));
      var isThere = w.isUnsigned(Compare.LT, run, imm(runs()));
      var to = Mem.global(w.madWide(run, imm(Float.BYTES), peaks));
      w.guarded(w.and(isThere, w.is(Compare.EQ, lane, imm(0))), () -> w.store(to, peak));
    }
    return w.function();
  }

  /** Four elements, each as it is or no number; the least where the row has ended. */
  private List<F32> elements(PtxWriter w, B64 rows, B32 at) {
    boolean isWhole = isAligned && stride % EACH == 0 && width % EACH == 0;
    List<F32> loaded;
    if (isWhole) {
      var inside = w.minUnsigned(at, imm(width - EACH));
      loaded =
          w.loadReals(EACH, Mem.global(w.madWide(inside, imm(Float.BYTES), rows)), Cache.PLAIN);
    } else {
      loaded = new ArrayList<>();
      for (int i = 0; i < EACH; i++) {
        var inside = w.minUnsigned(w.add(at, imm(i)), imm(width - 1));
        loaded.add(w.loadReal(Mem.global(w.madWide(inside, imm(Float.BYTES), rows))));
      }
    }
    var elements = new ArrayList<F32>();
    for (int i = 0; i < EACH; i++) {
      var element = loaded.get(i);
      // The difference is zero, or no number where the element is not finite.
      var checked = w.add(element, w.sub(element, element));
      var isInside = w.isUnsigned(Compare.LT, w.add(at, imm(i)), imm(width));
      elements.add(w.called("element").select(isInside, checked, real(Float.NEGATIVE_INFINITY)));
    }
    return elements;
  }
}
