package weft.cuda.product;

import static weft.cuda.ptx.Imm.imm;
import static weft.cuda.ptx.Imm.real;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import weft.cuda.driver.Driver.Grid;
import weft.cuda.ptx.Cache;
import weft.cuda.ptx.Compare;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.PtxFunction;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.B64;
import weft.cuda.ptx.Reg.F32;
import weft.cuda.ptx.Reg.Pred;
import weft.cuda.ptx.Special;

/**
 * Up to 64 rows of activations on tensor cores, at the speed of the weights' memory. A warp has 16
 * rows of weights, which go straight into the registers that tensor cores take them from, 16 bytes
 * a load, two pieces of {@value SomeRows#PIECE} values ahead. Activations ({@link SomeRows}) come
 * to shared memory piece by piece, for all eight warps of the block at once: read by each warp for
 * itself, they would be most of what the cache of all has to give. Blocks may share rows ({@link
 * RowSplit}).
 */
final class TensorRows {
  private static final int WARPS = 8;
  private static final int THREADS = 32 * WARPS;

  /** Blocks that a multiprocessor has at once, so that one begins while another ends. */
  private static final int BLOCKS = 2;

  /** Rows of weights of a warp. */
  private static final int WARP_ROWS = RowSplit.BLOCK_ROWS / WARPS;

  /** Pieces of activations: one is read while the next is there and the one behind it comes. */
  private static final int STAGES = 3;

  /** Pieces of floats that are on their way; of packed weights one is, for they are taken apart. */
  private static final int AHEAD = 2;

  /** Measured on an H200, where a piece of a block alone takes its warps as long as its memory. */
  private static final RowSplit.Pace PACE = new RowSplit.Pace(1.35, 1.3);

  private final Product product;
  private final RowLayout layout;
  private final SomeRows x;
  private final RowSplit split;
  private final PtxWriter w;

  /** How a packed run lies in registers. */
  private Optional<RunCode.Loaded> runs = Optional.empty();

  TensorRows(Product product, int rows) {
    this(product, rows, Optional.empty());
  }

  /**
   * @param parts of a row, where they are not for {@link RowSplit} to choose
   */
  TensorRows(Product product, int rows, Optional<Integer> parts) {
    this.product = product;
    layout = product.layout();
    x = new SomeRows(layout, rows);
    var chosen = RowSplit.of(product, x.pieces(), PACE);
    split = parts.map(n -> new RowSplit(chosen.blocks(), x.pieces(), n)).orElse(chosen);
    w = new PtxWriter(product.name("some" + rows));
  }

  /** Outputs of a warp: of two weights, each eighth row is the other's. */
  private int warpOutputs() {
    return WARP_ROWS / product.weights();
  }

  private int ahead() {
    return x.isByRuns() ? 1 : AHEAD;
  }

  private int stageBytes() {
    return x.tiles() * SomeRows.TILE_BYTES;
  }

  Grid grid(int count) {
    return new Grid(
        split.parts(),
        split.blocks(),
        Math.ceilDiv(count, x.rows()),
        THREADS,
        STAGES * stageBytes());
  }

  /** What blocks that share rows leave for each other, in launches of so many rows. */
  Meeting meeting(int count) {
    return Meeting.of(split, Math.ceilDiv(count, x.rows()), x.tiles(), THREADS);
  }

  PtxFunction function() {
    w.mostThreads(THREADS, BLOCKS);
    var p = ProductParameters.declare(w, product);
    var met = Meeting.Code.declare(w, split);
    var memory = w.called("memory").addressOf(w.dynamicShared());
    var thread = w.called("thread").read(Special.TID_X);
    var lane = w.called("lane").and(thread, imm(31));
    var column = w.called("column").and(lane, imm(3));
    var warp = w.mad(w.read(Special.CTAID_Y), imm(WARPS), w.shr(thread, imm(5)));
    var output = w.mad(warp, imm(warpOutputs()), w.shr(lane, imm(2)));
    var rows = weightsRows(p, output);
    var first = w.called("piece").mov(piece(0));
    var end = w.called("end").mov(piece(1));
    w.note("the first weights are on their way before activations are there");
    var sets = new ArrayList<List<List<B32>>>();
    for (int i = 0; i < ahead(); i++)
      sets.add(kept(load(rows, column, before(w.add(first, imm(i)), end))));
    w.awaitLast();
    var from = activations(p, thread);
    var to = w.called("to").mad(thread, imm(16), memory);
    for (int i = 0; i < STAGES - 1; i++) {
      bring(from, w.add(first, imm(i)), end, w.add(to, imm(i * stageBytes())));
    }
    var sums = new ArrayList<List<F32>>();
    for (int i = 0; i < x.tiles(); i++) {
      sums.add(Stream.generate(() -> w.called("sum").mov(real(0))).limit(4).toList());
    }
    var stage = w.called("stage").mov(imm(0));

    w.count(
        "at",
        first,
        end,
        imm(sets.size()),
        at -> {
          for (int i = 0; i < sets.size(); i++) {
            var set = sets.get(i);
            var piece = i == 0 ? at : w.add(at, imm(i));
            Runnable step =
                () -> {
                  w.waitCopies(STAGES - 2);
                  w.barrier();
                  bring(from, w.add(piece, imm(STAGES - 1)), end, w.add(to, before(stage)));
                  var weights = set.stream().map(this::pairs).toList();
                  var next = before(w.add(piece, imm(sets.size())), end);
                  if (x.isByRuns()) keep(set, load(rows, column, next));
                  multiply(weights, w.add(w.mad(lane, imm(16), memory), stage), sums);
                  if (!x.isByRuns()) keep(set, load(rows, column, next));
                  w.into(stage).select(isLast(stage), imm(0), w.add(stage, imm(stageBytes())));
                };
            if (i == 0) step.run();
            else w.when(w.isUnsigned(Compare.LT, piece, end), step);
          }
        });
    met.ifPresent(meeting -> meeting.join(split, THREADS, thread, memory, sums));
    new LaneResults(w, p, x.rows(), x.parts()).write(output, lane, sums);
    return w.function();
  }

  /** The first piece of the block's part, or of the one behind it. */
  private B32 piece(int behind) {
    if (!split.isShared()) return w.mov(imm(behind * split.pieces()));
    var part = w.add(w.read(Special.CTAID_X), imm(behind));
    return w.div(w.mul(part, imm(split.pieces())), imm(split.parts()));
  }

  private Pred isLast(B32 stage) {
    return w.is(Compare.EQ, stage, imm((STAGES - 1) * stageBytes()));
  }

  /** The stage before this one, which is the next to be written. */
  private B32 before(B32 stage) {
    var isFirst = w.is(Compare.EQ, stage, imm(0));
    return w.select(isFirst, imm((STAGES - 1) * stageBytes()), w.sub(stage, imm(stageBytes())));
  }

  /** The piece, or the last one of the part. */
  private B32 before(B32 piece, B32 end) {
    return w.minUnsigned(piece, w.sub(end, imm(1)));
  }

  /** Where the lane's rows of weights begin, eight apart. */
  private List<B64> weightsRows(ProductParameters p, B32 output) {
    w.note("the lane's rows of weights; those beyond the last are the last again");
    var rows = new ArrayList<B64>();
    for (int side = 0; side < 2; side++) {
      boolean isUp = product.isGated() && side == 1;
      var wanted = product.isGated() ? output : w.add(output, imm(8 * side));
      var there = w.minUnsigned(wanted, imm(product.outputs() - 1));
      var base = isUp ? p.upWeights() : p.weights();
      rows.add(w.called("row").madWide(there, imm(layout.rowBytes()), base));
    }
    return rows;
  }

  /** The lane's part of a piece of each of its rows, as it lies in memory. */
  private List<List<B32>> load(List<B64> rows, B32 column, B32 piece) {
    var loaded = new ArrayList<List<B32>>();
    if (x.isByRuns()) {
      var run = w.minUnsigned(w.mad(piece, imm(4), column), imm(layout.runs() - 1));
      for (var row : rows) {
        runs = Optional.of(new RunCode(w, layout).load(row, run));
        loaded.add(runs.get().words());
      }
      return loaded;
    }
    boolean isWhole = layout.columns() % SomeRows.PIECE == 0;
    var first = w.mad(piece, imm(SomeRows.VECTORS), column);
    for (var row : rows) {
      var words = new ArrayList<B32>();
      var whole = Mem.global(w.madWide(first, imm(16), row));
      for (int i = 0; i < 4; i++) {
        var at = isWhole ? whole.plus(64 * i) : vector(row, w.add(first, imm(4 * i)));
        words.addAll(w.loadWords(4, at, Cache.STREAMED));
      }
      loaded.add(words);
    }
    return loaded;
  }

  /** Eight values of a row, or its last eight: what they meet there is zero. */
  private Mem vector(B64 row, B32 number) {
    var there = w.minUnsigned(number, imm(layout.columns() / 8 - 1));
    return Mem.global(w.madWide(there, imm(16), row));
  }

  /** The same in registers that the next takes over. */
  private List<List<B32>> kept(List<List<B32>> loaded) {
    return loaded.stream()
        .map(words -> words.stream().map(word -> w.called("w").mov(word)).toList())
        .toList();
  }

  private void keep(List<List<B32>> kept, List<List<B32>> loaded) {
    for (int i = 0; i < loaded.size(); i++) {
      for (int j = 0; j < loaded.get(i).size(); j++) {
        w.into(kept.get(i).get(j)).mov(loaded.get(i).get(j));
      }
    }
  }

  /** Where the thread's sixteen bytes of the first tiles' first piece are. */
  private B64 activations(ProductParameters p, B32 thread) {
    int tileBytes = split.pieces() * SomeRows.TILE_BYTES;
    var mine = w.madWide(w.read(Special.CTAID_Z), imm(x.tiles() * tileBytes), p.x());
    int threads = SomeRows.TILE_BYTES / 16;
    var tile = w.shr(thread, imm(Integer.numberOfTrailingZeros(threads)));
    var inTile = w.and(thread, imm(threads - 1));
    return w.called("from").madWide(inTile, imm(16), w.madWide(tile, imm(tileBytes), mine));
  }

  /** Starts to bring a piece of all tiles, if there is one, to the stage that is next. */
  private void bring(B64 from, B32 piece, B32 end, B32 to) {
    w.when(
        w.isUnsigned(Compare.LT, piece, end),
        () -> {
          var at = Mem.global(w.madWide(piece, imm(SomeRows.TILE_BYTES), from));
          var there = Mem.shared(to);
          int together = THREADS * 16 / SomeRows.TILE_BYTES;
          for (int tile = 0; tile < x.tiles(); tile += together) {
            w.copy16(
                there.plus(tile * SomeRows.TILE_BYTES),
                at.plus(tile * split.pieces() * SomeRows.TILE_BYTES));
          }
        });
    w.commitCopies();
  }

  /** A lane's part of a piece of a row as pairs of halves. */
  private List<B32> pairs(List<B32> loaded) {
    if (!x.isByRuns()) return loaded;
    return new RunCode(w, layout).halves(runs.orElseThrow().in(loaded));
  }

  private void multiply(List<List<B32>> weights, B32 read, List<List<F32>> sums) {
    var a = weights.get(0);
    var b = weights.get(1);
    for (int load = 0; load < 4; load++) {
      for (int t = 0; t < x.tiles(); t++) {
        var at = Mem.shared(read).plus(t * SomeRows.TILE_BYTES + load * 512);
        var vector = w.loadWords(4, at, Cache.PLAIN);
        for (int k = 0; k < 4; k += 2) {
          int word = 4 * load + k;
          var factors = List.of(a.get(word), b.get(word), a.get(word + 1), b.get(word + 1));
          w.multiply(x.element(), sums.get(t), factors, vector.subList(k, k + 2));
        }
      }
    }
  }
}
