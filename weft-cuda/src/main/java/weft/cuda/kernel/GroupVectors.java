package weft.cuda.kernel;

import static weft.cuda.ptx.Imm.bits;
import static weft.cuda.ptx.Imm.imm;
import static weft.cuda.ptx.Imm.wide;

import java.util.ArrayList;
import java.util.List;
import weft.backend.KvLayout;
import weft.cuda.ptx.Cache;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.B64;
import weft.cuda.ptx.Reg.F32;

/**
 * Keys and values as {@link AttendGroup}'s lanes load them, in vectors of halves that lie behind
 * each other. Tensor cores do not mind which element they call the first, as long as both factors
 * agree: so of keys, the k-th values of a product are those that a lane has loaded at once, and of
 * values, the columns of a product are eight vectors' i-th elements.
 *
 * <p>Positions beyond the last are the last again, for what was never written may be no number.
 */
record GroupVectors(PtxWriter w, KvLayout layout, B32 keyHead, B32 lane, B32 last) {
  private static final int WIDEST = 256;
  private static final int BLOCK_VALUES = 32;
  private static final int BLOCK_BYTES = 34;

  static boolean takes(KvLayout layout) {
    boolean isKept =
        switch (layout.encoding().name()) {
          case "F16", "Q8_0" -> true;
          default -> false;
        };
    return isKept && isWhole(layout.slot().keyDim()) && isWhole(layout.slot().valueDim());
  }

  private static boolean isWhole(int width) {
    return width % 16 == 0 && width <= WIDEST;
  }

  /** Halves of a key that a lane loads at once: four lanes have so many each. */
  int keyVector() {
    return layout.slot().keyDim() % 32 == 0 ? 8 : 4;
  }

  /** Halves of a value that a lane loads at once: eight lanes have so many each. */
  int valueVector() {
    return Math.min(8, Integer.lowestOneBit(layout.slot().valueDim()) / 8);
  }

  /** A lane's words of the keys of eight positions, those of a k-step behind each other. */
  List<B32> keys(B64 page, B32 first) {
    var position = position(w.add(first, w.shr(lane, imm(2))));
    var head = w.madWide(keyHead, imm((int) layout.keyHeadBytes()), page);
    var row = w.madWide(position, imm((int) layout.keyBytes()), head);
    var words = new ArrayList<B32>();
    int size = keyVector();
    for (int chunk = 0; chunk < layout.slot().keyDim(); chunk += 4 * size) {
      words.addAll(vector(row, w.and(lane, imm(3)), chunk, size));
    }
    return words;
  }

  /** A lane's vectors of the values of four of sixteen positions, block by block of dimensions. */
  record Sixteen(List<List<B32>> positions) {}

  Sixteen values(B64 page, B32 first) {
    var head = w.madWide(keyHead, imm((int) layout.valueHeadBytes()), page);
    var values = w.add(head, wide(layout.valuesAt()));
    var pair = w.mad(w.and(lane, imm(3)), imm(2), first);
    var positions = new ArrayList<List<B32>>();
    int size = valueVector();
    for (int beyond : new int[] {0, 1, 8, 9}) {
      var position = position(w.add(pair, imm(beyond)));
      var row = w.madWide(position, imm((int) layout.valueBytes()), values);
      var words = new ArrayList<B32>();
      for (int block = 0; block < layout.slot().valueDim(); block += 8 * size) {
        words.addAll(vector(row, w.shr(lane, imm(2)), block, size));
      }
      positions.add(words);
    }
    return new Sixteen(positions);
  }

  /** The factors of the n-th eight columns: elements of two positions, and of two eight on. */
  List<B32> pairs(Sixteen sixteen, int n) {
    var selector = bits(n % 2 == 0 ? 0x5410 : 0x7632);
    var of = sixteen.positions().stream().map(words -> words.get(n / 2)).toList();
    return List.of(
        w.bytes(of.get(0), of.get(1), selector), w.bytes(of.get(2), of.get(3), selector));
  }

  /** Where in its page a position is that is there. */
  private B32 position(B32 wanted) {
    return w.and(w.minUnsigned(wanted, last), imm(KvLayout.POSITIONS - 1));
  }

  /** The lane's vector among those that begin at an element of a row. */
  private List<B32> vector(B64 row, B32 place, int from, int size) {
    return switch (layout.encoding().name()) {
      case "F16" -> {
        var at = Mem.global(w.madWide(place, imm(size * Short.BYTES), row));
        var there = at.plus(from * Short.BYTES);
        yield size == 2
            ? List.of(w.load(there, Cache.PASSING))
            : w.loadWords(size / 2, there, Cache.PASSING);
      }
      case "Q8_0" -> unpacked(row, w.mad(place, imm(size), imm(from)), size);
      default -> throw new IllegalStateException(layout.encoding().name() + " are no halves");
    };
  }

  /** The same of bytes with a scale before each 32. */
  private List<B32> unpacked(B64 row, B32 element, int size) {
    var block = w.madWide(w.shr(element, imm(5)), imm(BLOCK_BYTES), row);
    var scale = w.toReal(w.loadHalf(Mem.global(block), Cache.PLAIN));
    var bytes = w.madWide(w.and(element, imm(BLOCK_VALUES - 1)), imm(1), block);
    var words = new ArrayList<B32>();
    for (int i = 0; i < size; i += 2) {
      var pair = w.loadShort(Mem.global(bytes).plus(2 + i), Cache.PLAIN);
      words.add(w.toHalves(value(pair, 0, scale), value(pair, 8, scale)));
    }
    return words;
  }

  private F32 value(B32 pair, int bit, F32 scale) {
    return w.mul(w.toReal(w.signedBits(pair, imm(bit), imm(8))), scale);
  }
}
