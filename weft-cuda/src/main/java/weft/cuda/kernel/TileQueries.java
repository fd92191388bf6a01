package weft.cuda.kernel;

import java.util.ArrayList;
import java.util.List;
import weft.cuda.ptx.Cache;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.B32;

/**
 * A lane's two queries of a tile as factors of tensor cores, each in two parts that add up to it:
 * in registers, or, where those cannot hold so wide a query, in shared memory, where each thread
 * reads what it wrote itself.
 */
final class TileQueries {
  private static final int VECTOR = 16;

  private final PtxWriter w;
  private final int threads;
  private final Mem memory;
  private final boolean areKept;
  private final List<List<List<B32>>> ofSteps = new ArrayList<>();

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
      var first = new ArrayList<B32>();
      var rest = new ArrayList<B32>();
      for (int side = 0; side < 4; side++) {
        // Rows, rows eight on, both eight values on.
        var at = from.get(side % 2).plus((k + side / 2 * 8) * Float.BYTES);
        var pair = w.loadReals(2, at, Cache.PLAIN).stream().map(scoring::scaled).toList();
        var half = w.called("q").toHalves(pair.get(0), pair.get(1));
        first.add(half);
        rest.add(w.called("q_rest").mov(scoring.rest(half, pair.get(0), pair.get(1))));
      }
      if (areKept) {
        ofSteps.add(List.of(first, rest));
      } else {
        w.storeWords(memory.plus(place(k, 0)), first);
        w.storeWords(memory.plus(place(k, 1)), rest);
      }
    }
  }

  /** Both parts of a k-step's factors. */
  List<List<B32>> parts(int k) {
    return List.of(part(k, 0), part(k, 1));
  }

  private List<B32> part(int k, int half) {
    if (areKept) return ofSteps.get(k / 16).get(half);
    return w.loadWords(4, memory.plus(place(k, half)), Cache.PLAIN);
  }

  private int place(int k, int half) {
    return (2 * (k / 16) + half) * threads * VECTOR;
  }
}
