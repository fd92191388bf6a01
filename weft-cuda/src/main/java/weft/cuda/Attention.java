package weft.cuda;

import java.util.List;
import weft.cuda.driver.Driver.Grid;
import weft.cuda.kernel.Attend;
import weft.cuda.kernel.AttendTile;
import weft.cuda.kernel.Merge;
import weft.cuda.kernel.Rope;
import weft.cuda.kernel.StoreKv;
import weft.cuda.kernel.Turning;
import weft.ir.DType;
import weft.ir.Op;
import weft.ir.Slot;
import weft.ir.Type;
import weft.ir.Value;
import weft.lir.Launch;

/** Attention: keys and values are stored, then rows attend, by themselves or in tiles. */
final class Attention {
  /** Blocks for each multiprocessor, as far as there are pages to share. */
  private static final int BLOCKS_A_MULTIPROCESSOR = 8;

  /** Rows of a sequence, on average, that are worth a tile. */
  private static final int TILED_ROWS = 8;

  private final Binding binding;
  private final StepArea area;
  private final int blocks;

  Attention(Binding binding, int multiprocessors) {
    this.binding = binding;
    this.area = binding.area();
    this.blocks = BLOCKS_A_MULTIPROCESSOR * multiprocessors;
  }

  /** How heads are rotated, and where the frequencies are. */
  record Turn(Turning turning, long frequencies) {
    static final Turn NONE = new Turn(Turning.NONE, 0);
  }

  /**
   * What attends to what.
   *
   * @param tables where sequences have their pages
   */
  private record Heads(
      Slot.KeyValue slot, Op.Scores scores, Turn turn, Located q, Located out, long tables) {
    int count() {
      return q.type().dim(1).fixed();
    }
  }

  /**
   * @param values queries, keys and values
   */
  void attend(
      Launch launch,
      Slot.KeyValue slot,
      Op.Scores scores,
      Turn turn,
      List<Value> values,
      Located result) {
    var floats = values.stream().map(v -> binding.floats(binding.operand(launch, v))).toList();
    var out =
        result.type().dtype() == DType.F32
            ? result
            : binding.scratch(new Type(DType.F32, result.type().dims()));
    long tables = area.slot(slot);
    store(slot, turn, floats.get(1), floats.get(2), tables);
    var heads = new Heads(slot, scores, turn, floats.get(0), out, tables);
    var byRows = byRows(heads);
    if (isTiled(heads)) {
      var byTiles = byTiles(heads);
      binding.call(
          shape -> {
            boolean isTiled = shape.rows() >= TILED_ROWS * shape.parts();
            (isTiled ? byTiles : byRows).tell(shape);
          });
    } else {
      binding.call(byRows);
    }
    if (out != result) binding.copy(out, result);
  }

  private void store(Slot.KeyValue slot, Turn turn, Located k, Located v, long tables) {
    var store =
        binding.kernel(
            new StoreKv(slot, binding.kvType(), turn.turning, k.lie(), v.lie(), area.partBytes())
                .kernel());
    binding.call(
        shape ->
            binding.launch(
                store,
                Grid.of(slot.heads(), shape.rows(), StoreKv.THREADS),
                k.address(),
                v.address(),
                turn.frequencies,
                area.positions(),
                area.places(),
                area.owners(),
                tables));
  }

  // Many rows of a sequence.

  private boolean isTiled(Heads heads) {
    return binding.bounds().tokens() >= TILED_ROWS
        && AttendTile.takes(heads.slot, binding.kvType(), heads.count());
  }

  /** Queries are turned first, once, for a tile has no time for it. */
  private Call byTiles(Heads heads) {
    var turned = binding.scratch(new Type(DType.F32, heads.q.type().dims()));
    var rope = binding.kernel(new Rope(heads.turn.turning, turned.lie(), heads.q.lie()).kernel());
    var tile =
        new AttendTile(
            heads.slot,
            binding.kvType(),
            heads.count(),
            heads.scores,
            turned.lie(),
            heads.out.lie(),
            area.partBytes());
    var kernel = binding.kernel(tile.kernel());
    return shape -> {
      int elements = shape.elements(turned.type());
      binding.launch(
          rope,
          Grid.of(Math.ceilDiv(elements, Rope.THREADS), Rope.THREADS),
          turned.address(),
          heads.q.address(),
          heads.turn.frequencies,
          area.positions(),
          elements);
      int tiles = tile.tiles(shape.rows(), shape.parts());
      binding.launch(
          kernel,
          new Grid(tiles, heads.slot.heads(), 1, AttendTile.THREADS, tile.sharedBytes()),
          heads.out.address(),
          turned.address(),
          area.places(),
          area.ends(),
          area.parts(),
          shape.parts(),
          heads.tables);
    };
  }

  // Few.

  private Call byRows(Heads heads) {
    var whole = rows(heads, false);
    var share = rows(heads, true);
    var slot = heads.slot;
    var merge = binding.kernel(new Merge(heads.count(), slot.valueDim(), heads.out.lie()).kernel());
    long shares = binding.scratchBytes((long) blocks * Attend.shareFloats(slot) * Float.BYTES);
    return shape -> {
      int pages =
          slot.isWindowed() ? Math.min(shape.pages(), slot.window() / 64 + 2) : shape.pages();
      // Two pages take no longer than the joining of two shares.
      int count = Math.min(pages / 2, blocks / (heads.count() * shape.rows()));
      var grid = new Grid(heads.count(), shape.rows(), Math.max(1, count), Attend.THREADS, 0);
      long to = count > 1 ? binding.scratch().address() + shares : heads.out.address();
      binding.launch(
          count > 1 ? share : whole,
          grid,
          to,
          heads.q.address(),
          heads.turn.frequencies,
          area.positions(),
          area.places(),
          area.ends(),
          area.owners(),
          heads.tables);
      if (count > 1) {
        binding.launch(
            merge,
            Grid.of(heads.count(), shape.rows(), Merge.THREADS),
            heads.out.address(),
            to,
            count);
      }
    };
  }

  private Kernels.Wanted rows(Heads heads, boolean shares) {
    return binding.kernel(
        new Attend(
                heads.slot,
                binding.kvType(),
                heads.count(),
                heads.scores,
                heads.turn.turning,
                heads.q.lie(),
                heads.out.lie(),
                area.partBytes(),
                shares)
            .kernel());
  }
}
