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
import weft.cuda.ptx.Special;

/**
 * Up to 64 rows of activations on tensor cores, at the speed of the weights' memory: a block has 16
 * or 32 rows of weights, its warps every eighth piece of {@value SomeRows#PIECE} values of them.
 * Weights go straight into the registers that tensor cores take them from, 16 bytes a load, the
 * next piece's while this one is multiplied; so do activations ({@link SomeRows}). In the end, the
 * warps' sums are added up in shared memory.
 */
final class TensorRows {
  private static final int WARPS = 8;
  private static final int THREADS = 32 * WARPS;

  /** Blocks that keep every multiprocessor of a large GPU busy. */
  private static final int ENOUGH_BLOCKS = 264;

  private final Product product;
  private final RowLayout layout;
  private final SomeRows x;
  private final int tiles;
  private final PtxWriter w;

  /** How a packed run lies in registers. */
  private Optional<RunCode.Loaded> runs = Optional.empty();

  TensorRows(Product product, int rows) {
    this(product, rows, product.outputs() * product.weights() / 32 >= ENOUGH_BLOCKS ? 2 : 1);
  }

  /**
   * @param tiles of 16 rows of weights that a block has: two read activations half as often
   */
  TensorRows(Product product, int rows, int tiles) {
    this.product = product;
    this.tiles = tiles;
    layout = product.layout();
    x = new SomeRows(layout, rows);
    w = new PtxWriter(product.name("some" + rows));
  }

  /** Outputs of a block: of two weights, each eighth row is the other's. */
  private int outputs() {
    return 16 * tiles / product.weights();
  }

  /** Floats from one weights' row of sums to the next: lanes' pairs lie in different banks. */
  private int pitch() {
    return 8 * x.tiles() + 8;
  }

  Grid grid(int count) {
    int shared = WARPS * 16 * tiles * pitch() * Float.BYTES;
    int blocks = Math.ceilDiv(product.outputs(), outputs());
    return new Grid(blocks, Math.ceilDiv(count, x.rows()), 1, THREADS, shared);
  }

  PtxFunction function() {
    w.mostThreads(THREADS);
    var p = ProductParameters.declare(w, product);
    var memory = w.called("memory").addressOf(w.dynamicShared());
    var thread = w.called("thread").read(Special.TID_X);
    var lane = w.called("lane").and(thread, imm(31));
    var warp = w.called("warp").shr(thread, imm(5));
    var column = w.called("column").and(lane, imm(3));
    var rows = weightsRows(p, lane);
    int blockBytes = x.tiles() * x.pieces() * SomeRows.TILE_BYTES;
    var mine = w.madWide(w.read(Special.CTAID_Y), imm(blockBytes), p.x());
    var activations = w.called("activations").madWide(lane, imm(16), mine);
    var sums = new ArrayList<List<F32>>();
    for (int i = 0; i < tiles * x.tiles(); i++) {
      sums.add(Stream.generate(() -> w.called("sum").mov(real(0))).limit(4).toList());
    }
    // Two tiles' next weights would take the registers of their sums.
    if (tiles == 1 && x.pieces() > WARPS) ahead(rows, column, warp, activations, sums);
    else inTurn(rows, column, warp, activations, sums);
    leave(memory, warp, lane, sums);
    w.barrier();
    w.count(
        "element",
        thread,
        imm(outputs() * x.rows()),
        imm(THREADS),
        element -> finish(p, memory, element));
    return w.function();
  }

  private void inTurn(List<B64> rows, B32 column, B32 warp, B64 activations, List<List<F32>> sums) {
    w.count(
        "piece",
        warp,
        imm(x.pieces()),
        imm(WARPS),
        piece -> multiply(load(rows, column, piece), piece, activations, sums));
  }

  /** The next piece's weights are on their way while these are multiplied. */
  private void ahead(List<B64> rows, B32 column, B32 warp, B64 activations, List<List<F32>> sums) {
    var first = load(rows, column, warp);
    var carried =
        first.stream()
            .map(words -> words.stream().map(word -> w.called("next").mov(word)).toList())
            .toList();
    w.count(
        "piece",
        warp,
        imm(x.pieces()),
        imm(WARPS),
        piece -> {
          var ahead = w.minUnsigned(w.add(piece, imm(WARPS)), imm(x.pieces() - 1));
          var next = load(rows, column, ahead);
          multiply(carried, piece, activations, sums);
          for (int i = 0; i < next.size(); i++) {
            for (int j = 0; j < next.get(i).size(); j++) {
              w.into(carried.get(i).get(j)).mov(next.get(i).get(j));
            }
          }
        });
  }

  /** Where the lane's rows of weights begin: two of each tile, eight apart. */
  private List<B64> weightsRows(ProductParameters p, B32 lane) {
    w.note("the lane's rows of weights; those beyond the last are the last again");
    var first = w.mad(w.read(Special.CTAID_X), imm(outputs()), w.shr(lane, imm(2)));
    var rows = new ArrayList<B64>();
    for (int tile = 0; tile < tiles; tile++) {
      for (int side = 0; side < 2; side++) {
        boolean isUp = product.isGated() && side == 1;
        int beyond = product.isGated() ? 8 * tile : 16 * tile + 8 * side;
        var output = w.minUnsigned(w.add(first, imm(beyond)), imm(product.outputs() - 1));
        var base = isUp ? p.upWeights() : p.weights();
        rows.add(w.called("row").madWide(output, imm(layout.rowBytes()), base));
      }
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
    for (var row : rows) {
      var words = new ArrayList<B32>();
      for (int i = 0; i < 4; i++) {
        var vector = w.mad(piece, imm(SomeRows.VECTORS), w.add(column, imm(4 * i)));
        var there = w.minUnsigned(vector, imm(layout.columns() / 8 - 1));
        words.addAll(w.loadWords(4, Mem.global(w.madWide(there, imm(16), row)), Cache.STREAMED));
      }
      loaded.add(words);
    }
    return loaded;
  }

  /** A lane's part of a piece of a row as pairs of halves. */
  private List<B32> pairs(List<B32> loaded) {
    if (!x.isByRuns()) return loaded;
    return new RunCode(w, layout).halves(runs.orElseThrow().in(loaded));
  }

  private void multiply(List<List<B32>> loaded, B32 piece, B64 activations, List<List<F32>> sums) {
    var weights = loaded.stream().map(this::pairs).toList();
    var from = Mem.global(w.madWide(piece, imm(SomeRows.TILE_BYTES), activations));
    for (int load = 0; load < 4; load++) {
      for (int t = 0; t < x.tiles(); t++) {
        var at = from.plus(t * x.pieces() * SomeRows.TILE_BYTES + load * 512);
        var vector = w.loadWords(4, at, Cache.PLAIN);
        for (int k = 0; k < 4; k += 2) {
          for (int tile = 0; tile < tiles; tile++) {
            var a = weights.get(2 * tile);
            var b = weights.get(2 * tile + 1);
            int word = 4 * load + k;
            var factors = List.of(a.get(word), b.get(word), a.get(word + 1), b.get(word + 1));
            var sum = sums.get(tile * x.tiles() + t);
            w.multiply(x.element(), sum, factors, vector.subList(k, k + 2));
          }
        }
      }
    }
  }

  /** A warp's sums, weights' row by weights' row. */
  private void leave(B32 memory, B32 warp, B32 lane, List<List<F32>> sums) {
    w.note("what each warp has of a sum");
    var row = w.mad(warp, imm(16 * tiles), w.shr(lane, imm(2)));
    var column = w.shl(w.and(lane, imm(3)), imm(1));
    var at = w.mad(w.mad(row, imm(pitch()), column), imm(Float.BYTES), memory);
    for (int tile = 0; tile < tiles; tile++) {
      for (int t = 0; t < x.tiles(); t++) {
        for (int side = 0; side < 2; side++) {
          int beyond = (16 * tile + 8 * side) * pitch() + 8 * t;
          var pair = sums.get(tile * x.tiles() + t).subList(2 * side, 2 * side + 2);
          w.storeReals(Mem.shared(at).plus(beyond * Float.BYTES), pair);
        }
      }
    }
  }

  private void finish(ProductParameters p, B32 memory, B32 element) {
    var number = w.rem(element, imm(outputs()));
    var column = w.div(element, imm(outputs()));
    var output = w.mad(w.read(Special.CTAID_X), imm(outputs()), number);
    var row = w.mad(w.read(Special.CTAID_Y), imm(x.rows()), column);
    var exists = w.isUnsigned(Compare.LT, output, imm(product.outputs()));
    var isAsked = w.isUnsigned(Compare.LT, row, p.rows());
    w.when(
        w.and(exists, isAsked),
        () -> {
          var weightsRow = number;
          if (product.isGated()) {
            weightsRow = w.add(number, w.and(number, imm(-8)));
          }
          var at = w.mad(w.mad(weightsRow, imm(pitch()), column), imm(Float.BYTES), memory);
          var sum = added(Mem.shared(at));
          var up = product.isGated() ? added(Mem.shared(at).plus(8 * pitch() * Float.BYTES)) : sum;
          p.finish(row, output, sum, up);
        });
  }

  /** The sum of all warps, and of both halves where there are two. */
  private F32 added(Mem from) {
    var sum = w.called("all").mov(real(0));
    for (int warp = 0; warp < WARPS; warp++) {
      for (int part = 0; part < x.parts(); part++) {
        int floats = warp * 16 * tiles * pitch() + part * x.rows();
        w.into(sum).add(sum, w.loadReal(from.plus(floats * Float.BYTES)));
      }
    }
    return sum;
  }
}
