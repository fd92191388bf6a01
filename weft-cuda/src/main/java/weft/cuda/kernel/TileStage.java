package weft.cuda.kernel;

import static weft.cuda.ptx.Imm.imm;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import weft.backend.KvLayout;
import weft.cuda.ptx.Cache;
import weft.cuda.ptx.Compare;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.B64;
import weft.cuda.ptx.Reg.F32;

/**
 * How a block of {@link AttendTile} brings a head's keys or values of some positions, which lie
 * behind each other, into its shared memory as rows of halves. Positions beyond the last are zero,
 * for what was never written may be no number, of which nothing is a multiple of zero.
 *
 * @param width values a position
 * @param positions how many are brought at once
 * @param last the last position that is there
 */
record TileStage(PtxWriter w, KvLayout layout, int width, int positions, B32 thread, B32 last) {
  private static final int VECTOR = 16;
  private static final int BLOCK_VALUES = 32;
  private static final int BLOCK_BYTES = 34;

  /** Bytes from row to row: an odd number of vectors, so that eight rows are in all banks. */
  static int pitch(int width) {
    return width * Short.BYTES + VECTOR;
  }

  /** Whether they arrive later, as a group of copies; else at once. */
  private boolean isCopied() {
    return switch (layout.encoding().name()) {
      case "F16" -> true;
      case "Q8_0" -> false;
      default -> throw new IllegalStateException(layout.encoding().name() + " are no halves");
    };
  }

  /**
   * Brings them.
   *
   * @param from where the first position's are
   * @param step the number of positions before it, in steps
   */
  void bring(B64 from, B32 step, B32 to) {
    if (isCopied()) copy(from, step, to);
    else unpack(from, step, to);
  }

  /** Does a thread's pieces of all rows, of so many a row. */
  private void pieces(int ofRow, BiConsumer<B32, B32> piece) {
    int all = positions * ofRow;
    for (int first = 0; first < all; first += AttendTile.THREADS) {
      var index = first == 0 ? thread : w.add(thread, imm(first));
      Runnable one = () -> piece.accept(index, w.div(index, imm(ofRow)));
      if (first + AttendTile.THREADS <= all) one.run();
      else w.when(w.isUnsigned(Compare.LT, index, imm(all)), one);
    }
  }

  private void copy(B64 from, B32 step, B32 to) {
    var first = w.mul(step, imm(positions));
    pieces(
        width * Short.BYTES / VECTOR,
        (index, row) -> {
          var isThere = w.isUnsigned(Compare.LE, w.add(first, row), last);
          var bytes = w.select(isThere, imm(VECTOR), imm(0));
          var place = w.mad(w.add(index, row), imm(VECTOR), to);
          var vector = w.madWide(index, imm(VECTOR), from);
          w.copy16(Mem.shared(place), Mem.global(vector), bytes);
        });
    w.commitCopies();
  }

  private void unpack(B64 from, B32 step, B32 to) {
    var first = w.mul(step, imm(positions));
    int blocks = width / BLOCK_VALUES;
    pieces(
        blocks,
        (index, row) -> {
          var words = Stream.generate(() -> w.called("half").mov(imm(0))).limit(16).toList();
          w.when(
              w.isUnsigned(Compare.LE, w.add(first, row), last),
              () -> block(Mem.global(w.madWide(index, imm(BLOCK_BYTES), from)), words));
          var inRow = w.sub(index, w.mul(row, imm(blocks)));
          var place = w.mad(row, imm(pitch(width)), w.mad(inRow, imm(2 * BLOCK_VALUES), to));
          for (int i = 0; i < 16; i += 4) {
            w.storeWords(Mem.shared(place).plus(4 * i), words.subList(i, i + 4));
          }
        });
  }

  /** A block of bytes with a scale before them, in pairs of halves; it begins at an even place. */
  private void block(Mem from, List<B32> to) {
    var scale = w.toReal(w.loadHalf(from, Cache.PLAIN));
    for (int i = 0; i < to.size(); i++) {
      var pair = w.loadShort(from.plus(2 + 2 * i), Cache.PLAIN);
      w.into(to.get(i)).toHalves(value(pair, 0, scale), value(pair, 8, scale));
    }
  }

  private F32 value(B32 pair, int bit, F32 scale) {
    return w.mul(w.toReal(w.signedBits(pair, imm(bit), imm(8))), scale);
  }
}
