package weft.cuda.kernel;

import java.util.ArrayList;
import java.util.List;
import weft.cuda.ptx.Cache;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.B32;

/**
 * A lane's two queries of a tile as factors of tensor cores: in registers, or, where those cannot
 * hold so wide a query, in shared memory, where each thread reads what it wrote itself.
 */
final class TileQueries {
  private static final int VECTOR = 16;

  private final PtxWriter w;
  private final int threads;
  private final Mem memory;
  private final boolean areKept;
  private final List<List<B32>> ofSteps = new ArrayList<>();

  /**
   * @param areKept in registers
   * @param from where both queries have the lane's elements
   * @param memory where the thread's vectors go, if they are not kept
   */
  TileQueries(
      PtxWriter w,
      ScoreCode scoring,
      int width,
      int threads,
      boolean areKept,
      List<Mem> from,
      Mem memory) {
    this.w = w;
    this.threads = threads;
    this.memory = memory;
    this.areKept = areKept;
    for (int k = 0; k < width; k += 16) {
      var halves = new ArrayList<B32>();
      for (int side = 0; side < 4; side++) {
        // Rows, rows eight on, both eight values on.
        var at = from.get(side % 2).plus((k + side / 2 * 8) * Float.BYTES);
        var pair = w.loadReals(2, at, Cache.PLAIN).stream().map(scoring::scaled).toList();
        halves.add(w.called("q").toHalves(pair.get(0), pair.get(1)));
      }
      if (areKept) ofSteps.add(halves);
      else w.storeWords(memory.plus(place(k)), halves);
    }
  }

  /** A k-step's factors. */
  List<B32> factors(int k) {
    if (areKept) return ofSteps.get(k / 16);
    return w.loadWords(4, memory.plus(place(k)), Cache.PLAIN);
  }

  private int place(int k) {
    return k / 16 * threads * VECTOR;
  }
}
