package weft.cuda.kernel;

import static weft.cuda.ptx.Imm.imm;
import static weft.cuda.ptx.Imm.real;
import static weft.cuda.ptx.Imm.wide;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import weft.backend.KvLayout;
import weft.backend.KvType;
import weft.cuda.ptx.Compare;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.PtxFunction;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.B64;
import weft.cuda.ptx.Reg.F32;
import weft.cuda.ptx.Special;
import weft.cuda.ptx.TensorElement;
import weft.ir.Op;
import weft.ir.Slot;

/**
 * Attention of many rows of a sequence on tensor cores, with an online softmax. A block has a tile
 * of {@value #TILE} queries, rows of a sequence times the heads that share keys, so that keys and
 * values are read once for all of them; each of its four warps has 16 queries and all positions.
 *
 * <p>Keys and values are halves in shared memory, where those of the next step are on their way
 * while this one's are multiplied. Queries and the weights of positions are halves, the sum of
 * weights and all other sums are floats: a score is off by some 2^-12 of a query's length times a
 * key's, a result by as much of the largest value.
 *
 * @param heads of queries
 * @param q rows of heads of float32 behind each other, turned already
 * @param result rows of heads of float32
 * @param partBytes from one sequence's addresses to the next one's
 */
public record AttendTile(
    Slot.KeyValue slot,
    KvType type,
    int heads,
    Op.Scores scores,
    Strided q,
    Strided result,
    int partBytes) {
  public static final int THREADS = 128;

  private static final int TILE = 64;
  private static final int WARP_ROWS = 16;

  /** Queries of so many elements stay in registers, and a page is taken at once. */
  private static final int NARROW = 128;

  private static final int WIDEST = 256;

  public AttendTile {
    slot = KvCode.unnamed(slot);
  }

  /** Whether heads are kept in a way that tensor cores take without a loss. */
  public static boolean takes(Slot.KeyValue slot, KvType type, int heads) {
    boolean isKept =
        switch (KvLayout.of(slot, type).encoding().name()) {
          case "F16", "Q8_0" -> true;
          default -> false;
        };
    return isKept
        && isWhole(slot.keyDim())
        && isWhole(slot.valueDim())
        && heads / slot.heads() <= TILE;
  }

  private static boolean isWhole(int width) {
    return width % WARP_ROWS == 0 && width <= WIDEST;
  }

  private int group() {
    return heads / slot.heads();
  }

  /** Rows of a sequence that a tile has. */
  private int rows() {
    return TILE / group();
  }

  /** As many tiles as so many rows of so many sequences have at the most, for each key head. */
  public int tiles(int rows, int parts) {
    return Math.ceilDiv(rows, rows()) + parts - 1;
  }

  private boolean isNarrow() {
    return Math.max(slot.keyDim(), slot.valueDim()) <= NARROW;
  }

  /** Blocks of a multiprocessor: more of them hide what each waits for, as registers allow. */
  private int blocks() {
    int width = Math.max(slot.keyDim(), slot.valueDim());
    return width <= NARROW / 2 ? 4 : isNarrow() ? 2 : 1;
  }

  /** Positions that are taken at once. */
  private int step() {
    return isNarrow() ? KvLayout.POSITIONS : KvLayout.POSITIONS / 2;
  }

  /** Where in a stage the values begin. */
  private int valuesAt() {
    return step() * TileStage.pitch(slot.keyDim());
  }

  private int stageBytes() {
    return valuesAt() + step() * TileStage.pitch(slot.valueDim());
  }

  private int queriesAt() {
    return 2 * stageBytes();
  }

  public int sharedBytes() {
    return queriesAt() + (isNarrow() ? 0 : TILE * slot.keyDim() * Short.BYTES);
  }

  /** Parameters: the result, queries; per row its place and what it sees; per sequence its rows. */
  public PtxFunction kernel() {
    return new Writing(new PtxWriter(Code.name("attend_tile", this))).function();
  }

  /** A lane's two queries of a tile, eight apart, and what it knows of each. */
  private record Mine(List<B32> rows, List<B32> heads, List<B32> oldest, List<B32> spans) {}

  /** The kernel as it is written. */
  private final class Writing {
    private final PtxWriter w;
    private final ScoreCode scoring;
    private final B64 result;
    private final B64 queries;
    private final B64 places;
    private final B64 starts;
    private final B64 ends;
    private final B64 parts;
    private final B32 partCount;
    private final B64 tables;
    private final B32 memory;
    private final B32 thread;
    private final B32 lane;
    private final B32 warp;
    private final B32 keyHead;

    Writing(PtxWriter w) {
      this.w = w;
      this.scoring = new ScoreCode(w, scores);
      w.mostThreads(THREADS, blocks());
      result = w.address("result");
      queries = w.address("q");
      places = w.address("places");
      starts = w.address("starts");
      ends = w.address("ends");
      parts = w.address("parts");
      partCount = w.word("part_count");
      tables = w.address("tables");
      memory = w.called("memory").addressOf(w.dynamicShared());
      thread = w.called("thread").read(Special.TID_X);
      lane = w.called("lane").and(thread, imm(31));
      warp = w.called("warp").shr(thread, imm(5));
      keyHead = w.called("key_head").read(Special.CTAID_Y);
    }

    PtxFunction function() {
      w.note("the block's tile, those of many positions first, and the sequence that it is of");
      var tile =
          w.called("tile").sub(w.sub(w.read(Special.NCTAID_X), imm(1)), w.read(Special.CTAID_X));
      var part = w.called("part").mov(imm(0));
      var firstRow = w.called("first_row").mov(imm(0));
      var partRows = w.called("part_rows").mov(imm(0));
      var tiles = w.called("tiles").mov(imm(0));
      w.whileTrue(
          () -> {
            var entry = Mem.global(w.madWide(part, imm(PartCode.WORDS * Integer.BYTES), parts));
            w.into(firstRow).load(entry);
            w.into(partRows).load(entry.plus(Integer.BYTES));
            w.into(tiles).div(w.add(partRows, imm(rows() - 1)), imm(rows()));
            return w.isUnsigned(Compare.GE, tile, tiles);
          },
          () -> {
            w.into(tile).sub(tile, tiles);
            w.into(part).add(part, imm(1));
            w.exitWhen(w.isUnsigned(Compare.GE, part, partCount));
          });
      var begin = w.mul(tile, imm(rows()));
      var count = w.called("count").minUnsigned(w.sub(partRows, begin), imm(rows()));
      w.into(firstRow).add(firstRow, begin);
      var mine = mine(firstRow, count);
      var table = w.loadWide(Mem.global(w.madWide(part, imm(partBytes), tables)));
      var bounds = bounds(firstRow, count);
      var factors = queries(mine);
      var known = TileSoftmax.begin(w);
      var values = sums("value", slot.valueDim() / 8);
      pages(table, bounds, mine, factors, known, values);
      finish(mine, w.mul(count, imm(group())), known, values);
      return w.function();
    }

    private List<F32> named(String name, float value, int count) {
      return Stream.generate(() -> w.called(name).mov(real(value))).limit(count).toList();
    }

    private List<List<F32>> sums(String name, int tiles) {
      return Stream.generate(() -> named(name, 0, 4)).limit(tiles).toList();
    }

    private B32 at(B64 list, B32 row) {
      return w.load(Mem.global(w.madWide(row, imm(Integer.BYTES), list)));
    }

    /** The first position that a row sees: of its window, or of the block that it sees whole. */
    private B32 oldest(B32 row) {
      if (!slot.isWindowed()) return w.mov(imm(0));
      var ofWindow = w.max(w.sub(at(places, row), imm(slot.window() - 1)), imm(0));
      return w.min(ofWindow, at(starts, row));
    }

    /** Queries beyond the tile's last are the last again, and not written. */
    private Mine mine(B32 firstRow, B32 count) {
      w.note("the lane's two queries: rows of the sequence, and the heads of each");
      var last = w.sub(w.mul(count, imm(group())), imm(1));
      var rows = new ArrayList<B32>();
      var heads = new ArrayList<B32>();
      var oldest = new ArrayList<B32>();
      var spans = new ArrayList<B32>();
      for (int i = 0; i < 2; i++) {
        var query = w.minUnsigned(w.add(query(), imm(8 * i)), last);
        var inSequence = w.div(query, imm(group()));
        var head = w.sub(query, w.mul(inSequence, imm(group())));
        var row = w.called("row").add(firstRow, inSequence);
        rows.add(row);
        heads.add(w.called("head").mad(keyHead, imm(group()), head));
        oldest.add(w.called("oldest").mov(oldest(row)));
        spans.add(w.called("span").sub(at(ends, row), oldest.get(i)));
      }
      return new Mine(rows, heads, oldest, spans);
    }

    /** The first of the lane's two queries in the tile. */
    private B32 query() {
      return w.mad(warp, imm(WARP_ROWS), w.shr(lane, imm(2)));
    }

    /**
     * What the rows of a tile see: from the first position on that one does, from the first on that
     * all do; to the last that all do, to the last that one does.
     */
    private record Bounds(B32 first, B32 allFrom, B32 allTo, B32 last) {}

    private Bounds bounds(B32 firstRow, B32 count) {
      w.note("the positions that one of the tile's rows sees, and that all do");
      var most = w.called("most").mov(imm(0));
      var least = w.called("least").mov(imm(Integer.MAX_VALUE));
      var lastRow = w.sub(count, imm(1));
      for (int i = 0; i < Math.ceilDiv(rows(), 32); i++) {
        var end = at(ends, w.add(firstRow, w.minUnsigned(w.add(lane, imm(32 * i)), lastRow)));
        w.into(most).max(most, end);
        w.into(least).min(least, end);
      }
      for (int bits = 16; bits > 0; bits /= 2) {
        w.into(most).max(most, w.shuffleXor(most, bits));
        w.into(least).min(least, w.shuffleXor(least, bits));
      }
      return new Bounds(oldest(firstRow), oldest(w.add(firstRow, lastRow)), least, most);
    }

    private TileQueries queries(Mine mine) {
      w.note("queries, scaled, as halves");
      var from = new ArrayList<Mem>();
      for (int i = 0; i < 2; i++) {
        var element = w.mad(mine.rows.get(i), imm(q.strides().get(0)), twice());
        w.into(element).mad(mine.heads.get(i), imm(q.strides().get(1)), element);
        from.add(Mem.global(w.madWide(element, imm(Float.BYTES), queries)));
      }
      var to = w.called("queries").mad(thread, imm(16), w.add(memory, imm(queriesAt())));
      return new TileQueries(w, scoring, slot.keyDim(), THREADS, isNarrow(), from, Mem.shared(to));
    }

    private B32 twice() {
      return w.shl(w.and(lane, imm(3)), imm(1));
    }

    private void pages(
        B64 table,
        Bounds bounds,
        Mine mine,
        TileQueries factors,
        TileSoftmax known,
        List<List<F32>> values) {
      int shift = Integer.numberOfTrailingZeros(step());
      var lastStep = w.called("last_step").shr(bounds.last, imm(shift));
      var firstStep = w.called("first_step").shr(bounds.first, imm(shift));
      bring(page(table, firstStep), firstStep, bounds);
      var page = w.called("next_page").mov(page(table, after(firstStep, lastStep)));
      var k = places(lane, w.and(w.shr(lane, imm(3)), imm(1)), w.shr(lane, imm(4)), slot.keyDim());
      var v =
          places(lane, w.shr(lane, imm(4)), w.and(w.shr(lane, imm(3)), imm(1)), slot.valueDim());
      var keysFrom = w.called("k_from").add(k, memory);
      var valuesFrom = w.called("v_from").add(w.add(v, memory), imm(valuesAt()));
      w.count(
          "step",
          firstStep,
          w.add(lastStep, imm(1)),
          imm(1),
          step -> {
            w.note("this step's are there, and nobody reads those before them any more");
            w.waitCopies(0);
            w.barrier();
            var next = w.add(step, imm(1));
            w.when(
                w.isUnsigned(Compare.LE, next, lastStep),
                () -> {
                  bring(page, next, bounds);
                  w.into(page).mov(page(table, after(next, lastStep)));
                });
            var stage = stage(step);
            var scored = score(factors, w.add(keysFrom, stage));
            mask(scored, mine, bounds, step);
            var keep = known.weigh(scored);
            for (var tile : values) {
              for (int i = 0; i < 4; i++) w.into(tile.get(i)).mul(tile.get(i), keep.get(i / 2));
            }
            add(scored, w.add(valuesFrom, stage), values);
          });
    }

    private B32 after(B32 step, B32 lastStep) {
      return w.minUnsigned(w.add(step, imm(1)), lastStep);
    }

    /** Where the stage of a step begins, in a block's memory. */
    private B32 stage(B32 step) {
      return w.mul(w.and(step, imm(1)), imm(stageBytes()));
    }

    /** Brings a step's keys and values, which are in this page, to its stage. */
    private void bring(B64 page, B32 step, Bounds bounds) {
      var layout = KvLayout.of(slot, type);
      var keys = new TileStage(w, layout, slot.keyDim(), step(), thread, bounds.last);
      var values = new TileStage(w, layout, slot.valueDim(), step(), thread, bounds.last);
      var to = w.add(memory, stage(step));
      keys.bring(keysOf(page, step), step, to);
      values.bring(valuesOf(page, step), step, w.add(to, imm(valuesAt())));
    }

    private B64 page(B64 table, B32 step) {
      int halves = Integer.numberOfTrailingZeros(KvLayout.POSITIONS / step());
      var number = halves == 0 ? step : w.shr(step, imm(halves));
      return w.loadWide(Mem.global(w.madWide(number, imm(Long.BYTES), table)));
    }

    private B64 keysOf(B64 page, B32 step) {
      var layout = KvLayout.of(slot, type);
      var from = w.madWide(keyHead, imm((int) layout.keyHeadBytes()), page);
      return inPage(from, step, layout.keyBytes());
    }

    private B64 valuesOf(B64 page, B32 step) {
      var layout = KvLayout.of(slot, type);
      var from = w.madWide(keyHead, imm((int) layout.valueHeadBytes()), page);
      return inPage(w.add(from, wide(layout.valuesAt())), step, layout.valueBytes());
    }

    private B64 inPage(B64 from, B32 step, long rowBytes) {
      if (step() == KvLayout.POSITIONS) return from;
      return w.madWide(w.and(step, imm(1)), imm((int) (step() * rowBytes)), from);
    }

    /** Where a lane's rows of four matrices begin; the others are rows or 16 bytes on. */
    private B32 places(B32 lane, B32 isRight, B32 isBelow, int width) {
      var row = w.add(w.and(lane, imm(7)), w.shl(isBelow, imm(3)));
      return w.mad(row, imm(TileStage.pitch(width)), w.shl(isRight, imm(4)));
    }

    /** Scores of the lane's queries: of each 8 positions two, for both. */
    private List<List<F32>> score(TileQueries factors, B32 keysFrom) {
      var scored = sums("score", step() / 8);
      int pitch = TileStage.pitch(slot.keyDim());
      for (int k = 0; k < slot.keyDim(); k += 16) {
        var query = factors.factors(k);
        for (int n = 0; n < step(); n += 16) {
          var keys = w.matrices4(Mem.shared(keysFrom).plus(n * pitch + 2 * k));
          w.multiply(TensorElement.F16, scored.get(n / 8), query, keys.subList(0, 2));
          w.multiply(TensorElement.F16, scored.get(n / 8 + 1), query, keys.subList(2, 4));
        }
      }
      if (scores.softCap() <= 0) return scored;
      return scored.stream().map(tile -> tile.stream().map(scoring::capped).toList()).toList();
    }

    private void mask(List<List<F32>> scored, Mine mine, Bounds bounds, B32 step) {
      w.note("positions that a row does not see, where there are such");
      var first = w.mul(step, imm(step()));
      var isOld = w.isUnsigned(Compare.LT, first, bounds.allFrom);
      var isLate = w.isUnsigned(Compare.GT, w.add(first, imm(step() - 1)), bounds.allTo);
      w.when(
          w.or(isOld, isLate),
          () -> {
            var place = w.add(first, twice());
            for (int i = 0; i < 2; i++) {
              var from = w.sub(place, mine.oldest.get(i));
              for (int n = 0; n < scored.size(); n++) {
                for (int side = 0; side < 2; side++) {
                  var score = scored.get(n).get(2 * i + side);
                  var sees =
                      w.isUnsigned(Compare.LE, w.add(from, imm(8 * n + side)), mine.spans.get(i));
                  w.into(score).select(sees, score, real(Float.NEGATIVE_INFINITY));
                }
              }
            }
          });
    }

    /** Adds the values of the positions, by their weights. */
    private void add(List<List<F32>> weights, B32 valuesFrom, List<List<F32>> values) {
      w.note("values by the weights of their positions");
      int pitch = TileStage.pitch(slot.valueDim());
      for (int n = 0; n < weights.size(); n += 2) {
        var factors = new ArrayList<B32>();
        for (int side = 0; side < 4; side++) {
          var tile = weights.get(n + side / 2);
          factors.add(w.toHalves(tile.get(side % 2 * 2), tile.get(side % 2 * 2 + 1)));
        }
        for (int d = 0; d < slot.valueDim(); d += 16) {
          var from = Mem.shared(valuesFrom).plus(8 * n * pitch + 2 * d);
          var turned = w.matrices4Turned(from);
          w.multiply(TensorElement.F16, values.get(d / 8), factors, turned.subList(0, 2));
          w.multiply(TensorElement.F16, values.get(d / 8 + 1), factors, turned.subList(2, 4));
        }
      }
    }

    private void finish(Mine mine, B32 queries, TileSoftmax known, List<List<F32>> values) {
      w.note("the sums of four lanes become one, and results are written");
      for (int i = 0; i < 2; i++) {
        int query = i;
        var total = known.total().get(i);
        for (int bits : new int[] {1, 2}) w.into(total).add(total, w.shuffleXor(total, bits));
        var inverse = w.div(real(1), total);
        var row = mine.rows.get(i);
        var head = mine.heads.get(i);
        var strides = AttendTile.this.result.strides();
        w.when(
            w.isUnsigned(Compare.LT, w.add(query(), imm(8 * i)), queries),
            () -> {
              var element = w.mad(row, imm(strides.get(0)), w.mul(twice(), imm(strides.getLast())));
              w.into(element).mad(head, imm(strides.get(1)), element);
              var to = Mem.global(w.madWide(element, imm(Float.BYTES), result));
              IntStream.range(0, 2 * values.size())
                  .forEach(
                      n -> {
                        int d = n / 2 * 8 + n % 2;
                        var value = values.get(n / 2).get(2 * query + n % 2);
                        w.store(
                            to.plus(d * strides.getLast() * Float.BYTES), w.mul(value, inverse));
                      });
            });
      }
    }
  }
}
