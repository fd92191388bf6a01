package weft.cuda.kernel;

import static weft.cuda.ptx.Imm.real;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import weft.cuda.ptx.Compare;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.F32;

/**
 * An online softmax of a lane's two queries of a tile: what is known of each so far, the greatest
 * score and the lane's own sum of weights.
 */
record TileSoftmax(PtxWriter w, List<F32> greatest, List<F32> total) {
  /** Of no position yet. */
  static TileSoftmax begin(PtxWriter w) {
    return new TileSoftmax(w, two(w, "greatest", Float.NEGATIVE_INFINITY), two(w, "total", 0));
  }

  private static List<F32> two(PtxWriter w, String name, float value) {
    return Stream.generate(() -> w.called(name).mov(real(value))).limit(2).toList();
  }

  /** Scores become weights; what those before are multiplied by, of each query. */
  List<F32> weigh(List<List<F32>> scored) {
    w.note("scores become weights, of the greatest so far");
    var keeps = new ArrayList<F32>();
    for (int i = 0; i < 2; i++) {
      var mine = ofQuery(scored, i);
      var greatest = w.called("greatest_here").mov(mine.getFirst());
      for (var score : mine.subList(1, mine.size())) w.into(greatest).max(greatest, score);
      for (int bits : new int[] {1, 2}) {
        w.into(greatest).max(greatest, w.shuffleXor(greatest, bits));
      }
      var before = this.greatest.get(i);
      w.into(greatest).max(greatest, before);
      // Before the first position that a row sees there is none.
      var isNone = w.is(Compare.EQ, greatest, real(Float.NEGATIVE_INFINITY));
      var base = w.select(isNone, real(0), greatest);
      var keep = w.called("keep").exp2Approx(w.sub(before, base));
      w.into(before).mov(greatest);
      var total = this.total.get(i);
      w.into(total).mul(total, keep);
      for (var score : mine) {
        w.into(score).exp2Approx(w.sub(score, base));
        w.into(total).add(total, score);
      }
      keeps.add(keep);
    }
    return keeps;
  }

  private static List<F32> ofQuery(List<List<F32>> scored, int i) {
    return scored.stream().flatMap(tile -> tile.subList(2 * i, 2 * i + 2).stream()).toList();
  }
}
