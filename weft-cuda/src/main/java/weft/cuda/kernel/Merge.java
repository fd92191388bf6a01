package weft.cuda.kernel;

import static weft.cuda.ptx.Imm.imm;
import static weft.cuda.ptx.Imm.real;

import java.util.ArrayList;
import weft.cuda.ptx.Compare;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.PtxFunction;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.F32;
import weft.cuda.ptx.Special;

/**
 * What the shares of {@link Attend} and {@link AttendGroup} left, joined: a block a row and head.
 * Each lane of a warp knows of a share what it is of the whole; then threads have an element each.
 *
 * @param result rows of heads of float32
 */
public record Merge(int heads, int valueDim, Strided result) {
  public static final int THREADS = 128;

  /** A lane a share. */
  public static final int SHARES = 32;

  /** Loads that are on their way at once. */
  private static final int AT_ONCE = 8;

  /** Floats that a share leaves: the greatest score in bits, the sum of weights, the values. */
  public static int floats(int valueDim) {
    return 2 + valueDim;
  }

  /** Parameters: the result, the shares, how many there are of each row and head. */
  public PtxFunction kernel() {
    var w = new PtxWriter(Code.name("merge", this));
    w.mostThreads(THREADS);
    var result = w.address("result");
    var shares = w.address("shares");
    var count = w.word("count");
    var head = w.read(Special.CTAID_X);
    var row = w.read(Special.CTAID_Y);
    var thread = w.called("thread").read(Special.TID_X);
    var lane = w.called("lane").and(thread, imm(31));
    int bytes = floats(valueDim) * Float.BYTES;
    var first = w.called("first").mul(w.mad(row, imm(heads), head), count);
    w.note("a lane a share: what its weights are of the whole's");
    var last = w.sub(count, imm(1));
    var mine = Mem.global(w.madWide(w.add(first, w.minUnsigned(lane, last)), imm(bytes), shares));
    var greatest = w.loadReal(mine);
    var most = w.called("most").mov(greatest);
    for (int bits = 16; bits > 0; bits /= 2) w.into(most).max(most, w.shuffleXor(most, bits));
    var isThere = w.isUnsigned(Compare.LT, lane, count);
    var part = w.called("part").exp2Approx(w.sub(greatest, most));
    w.into(part).select(isThere, part, real(0));
    var total = w.called("total").mul(w.loadReal(mine.plus(Float.BYTES)), part);
    for (int bits = 16; bits > 0; bits /= 2) {
      w.into(total).add(total, w.shuffleXor(total, bits));
    }
    for (int from = 0; from < valueDim; from += THREADS) {
      var d = w.add(thread, imm(from));
      var element = w.minUnsigned(d, imm(valueDim - 1));
      var sum = w.called("sum").mov(real(0));
      w.count(
          "share",
          imm(0),
          count,
          imm(AT_ONCE),
          share -> {
            var values = new ArrayList<F32>();
            for (int i = 0; i < AT_ONCE; i++) {
              var there = w.minUnsigned(w.add(share, imm(i)), last);
              var at = w.madWide(w.add(first, there), imm(bytes), shares);
              var value = Mem.global(w.madWide(element, imm(Float.BYTES), at));
              values.add(w.loadReal(value.plus(2 * Float.BYTES)));
            }
            for (int i = 0; i < AT_ONCE; i++) {
              w.into(sum).fma(values.get(i), w.shuffle(part, w.add(share, imm(i))), sum);
            }
          });
      w.when(
          w.isUnsigned(Compare.LT, d, imm(valueDim)),
          () -> {
            var strides = this.result.strides();
            var at = w.mad(row, imm(strides.get(0)), w.mul(d, imm(strides.getLast())));
            w.into(at).mad(head, imm(strides.get(1)), at);
            w.store(Mem.global(w.madWide(at, imm(Float.BYTES), result)), w.div(sum, total));
          });
    }
    return w.function();
  }
}
