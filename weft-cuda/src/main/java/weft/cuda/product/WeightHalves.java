package weft.cuda.product;

import static weft.cuda.ptx.Imm.imm;

import java.util.List;
import java.util.Locale;
import weft.cuda.driver.Driver.Grid;
import weft.cuda.ptx.Cache;
import weft.cuda.ptx.Compare;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.PtxFunction;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Special;
import weft.quant.Encoding;

/**
 * Makes all rows of a packed weight halves, row behind row, which {@link GroupProduct} multiplies:
 * the same halves that {@link TensorProduct} makes on the way.
 *
 * <p>A thread takes a run apart, which is 64 bytes of halves. A warp's runs go through shared
 * memory, so that its threads write 512 bytes side by side at a time: sixteens of their own, 64
 * bytes apart, would fill half of each sector that is written. The i-th sixteen of a thread's four
 * lies at i xor (thread / 2) % 4, so that eight threads meet all banks, whether they write their
 * own or read what lies side by side.
 */
final class WeightHalves {
  private static final int THREADS = 256;

  private static final int RUN_BYTES = PackedForm.RUN * Short.BYTES;
  private static final int SIXTEENS = RUN_BYTES / 16;
  private static final int WARP_BYTES = 32 * 16;

  private final RowLayout layout;
  private final PtxWriter w;

  WeightHalves(Encoding encoding, int columns) {
    layout = RowLayout.of(encoding, columns);
    var name = encoding.name().toLowerCase(Locale.ROOT);
    w = new PtxWriter("halves_of_%s_%d".formatted(name, columns));
  }

  Grid grid(int rows) {
    return Grid.of(Math.ceilDiv(rows * layout.runs(), THREADS), THREADS);
  }

  /** Parameters: the weight, where its halves go, how many rows it has. */
  PtxFunction function() {
    w.mostThreads(THREADS);
    var weights = w.address("weights");
    var halves = w.address("halves");
    var runs = w.called("runs").mul(w.word("rows"), imm(layout.runs()));
    var memory = w.addressOf(w.shared("warps", THREADS * RUN_BYTES, 16));
    var thread = w.called("thread").read(Special.TID_X);
    var lane = w.called("lane").and(thread, imm(31));
    w.note("a run of a row; beyond the last it is the last again");
    var number = w.called("number").mad(w.read(Special.CTAID_X), imm(THREADS), thread);
    var there = w.minUnsigned(number, w.sub(runs, imm(1)));
    var row = w.called("row").div(there, imm(layout.runs()));
    var run = w.called("run").sub(there, w.mul(row, imm(layout.runs())));
    var code = new RunCode(w, layout);
    var loaded = code.load(w.madWide(row, imm(layout.rowBytes()), weights), run);
    leave(code.halves(loaded), w.mad(thread, imm(RUN_BYTES), memory), lane);
    w.warpBarrier();
    w.note("the product before this one is done with its halves, which are in the same place");
    w.awaitLast();
    var first = w.called("first").mul(w.sub(number, lane), imm(SIXTEENS));
    var from = sideBySide(w.mad(w.sub(thread, lane), imm(RUN_BYTES), memory), lane);
    var sixteen = w.called("sixteen").add(first, lane);
    var to = Mem.global(w.called("to").madWide(sixteen, imm(16), halves));
    var all = w.mul(runs, imm(SIXTEENS));
    for (int i = 0; i < SIXTEENS; i++) {
      var words = w.loadWords(4, Mem.shared(from).plus(i * WARP_BYTES), Cache.PLAIN);
      var place = to.plus(i * WARP_BYTES);
      var exists = w.isUnsigned(Compare.LT, w.add(sixteen, imm(32 * i)), all);
      w.guarded(exists, () -> w.storeWords(place, words));
    }
    return w.function();
  }

  /** A thread's own sixteens, to where its own begin. */
  private void leave(List<B32> pairs, B32 own, B32 lane) {
    var turn = w.called("turn").shl(w.and(w.shr(lane, imm(1)), imm(3)), imm(4));
    for (int i = 0; i < SIXTEENS; i++) {
      var at = w.add(own, w.xor(turn, imm(16 * i)));
      w.storeWords(Mem.shared(at), pairs.subList(4 * i, 4 * i + 4));
    }
  }

  /** Where a thread has the sixteen of its number, of all that the warp has left. */
  private B32 sideBySide(B32 warp, B32 lane) {
    var turned = w.xor(w.and(lane, imm(3)), w.shr(lane, imm(3)));
    var owner = w.mad(w.shr(lane, imm(2)), imm(RUN_BYTES), warp);
    return w.called("from").mad(turned, imm(16), owner);
  }
}
