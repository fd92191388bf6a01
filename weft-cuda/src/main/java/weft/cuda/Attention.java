package weft.cuda;

import java.util.List;
import java.util.function.IntFunction;
import weft.backend.KvLayout;
import weft.cuda.driver.Driver.Grid;
import weft.cuda.kernel.Attend;
import weft.cuda.kernel.AttendGroup;
import weft.cuda.kernel.AttendTile;
import weft.cuda.kernel.Merge;
import weft.cuda.kernel.StoreKv;
import weft.cuda.kernel.Turning;
import weft.ir.DType;
import weft.ir.Op;
import weft.ir.Slot;
import weft.ir.Type;
import weft.ir.Value;
import weft.lir.Launch;

/** Attention: keys and values are stored and queries turned, then rows attend. */
final class Attention {
  /** Blocks for each multiprocessor, as far as there are pages to share. */
  private static final int BLOCKS_A_MULTIPROCESSOR = 8;

  /** Blocks of grouped heads that a multiprocessor has registers for. */
  private static final int GROUPS_A_MULTIPROCESSOR = 2;

  /** Pages that a block of grouped heads takes in one turn, a warp each. */
  private static final int PAGES_AT_ONCE = 4;

  /** Rows of a sequence, on average, that are worth a tile. */
  private static final int TILED_ROWS = 8;

  /** Rows of which every head has a warp of its own when it is stored. */
  private static final int STORED_HEAD_BY_HEAD = 64;

  private final Binding binding;
  private final StepArea area;
  private final int multiprocessors;

  Attention(Binding binding, int multiprocessors) {
    this.binding = binding;
    this.area = binding.area();
    this.multiprocessors = multiprocessors;
  }

  /** How heads are rotated, and where the frequencies are. */
  record Turn(Turning turning, long frequencies) {
    static final Turn NONE = new Turn(Turning.NONE, 0);
  }

  /**
   * What attends to what.
   *
   * @param q turned, rows behind each other
   * @param tables where sequences have their pages
   */
  private record Heads(Slot.KeyValue slot, Op.Scores scores, Located q, Located out, long tables) {
    int count() {
      return q.type().dim(1).fixed();
    }

    /** Pages that a row of the longest sequence sees. */
    int pages(Shape shape) {
      if (!slot.isWindowed()) return shape.pages();
      return Math.min(shape.pages(), slot.window() / KvLayout.POSITIONS + 2);
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
    var turned = binding.scratch(new Type(DType.F32, floats.getFirst().type().dims()));
    var heads = new Heads(slot, scores, turned, out, area.slot(slot));
    store(heads, turn, floats);
    var byRows = AttendGroup.takes(slot, binding.kvType()) ? byGroups(heads) : byHeads(heads);
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

  private void store(Heads heads, Turn turn, List<Located> given) {
    var q = given.get(0);
    var k = given.get(1);
    var v = given.get(2);
    IntFunction<StoreKv> storing =
        most ->
            new StoreKv(
                heads.slot,
                binding.kvType(),
                turn.turning,
                q.lie(),
                heads.q.lie(),
                k.lie(),
                v.lie(),
                area.partBytes(),
                most);
    var few = storing.apply(1);
    var many = storing.apply(StoreKv.SEVERAL);
    var ofFew = binding.kernel(few.kernel());
    var ofMany = isFull(binding.bounds().tokens()) ? binding.kernel(many.kernel()) : ofFew;
    binding.call(
        shape -> {
          boolean isFull = isFull(shape.rows());
          binding.launch(
              isFull ? ofMany : ofFew,
              Grid.of((isFull ? many : few).blocks(shape.rows()), StoreKv.THREADS),
              q.address(),
              heads.q.address(),
              k.address(),
              v.address(),
              turn.frequencies,
              area.positions(),
              area.places(),
              area.owners(),
              heads.tables,
              shape.rows());
        });
  }

  /** Whether a head a warp would be more warps than a large device runs at once. */
  private static boolean isFull(int rows) {
    return rows > STORED_HEAD_BY_HEAD;
  }

  // Many rows of a sequence.

  private boolean isTiled(Heads heads) {
    return binding.bounds().tokens() >= TILED_ROWS
        && AttendTile.takes(heads.slot, binding.kvType(), heads.count());
  }

  private Call byTiles(Heads heads) {
    var tile =
        new AttendTile(
            heads.slot,
            binding.kvType(),
            heads.count(),
            heads.scores,
            heads.q.lie(),
            heads.out.lie(),
            area.partBytes());
    var kernel = binding.kernel(tile.kernel());
    return shape -> {
      int tiles = tile.tiles(shape.rows(), shape.parts());
      binding.launch(
          kernel,
          new Grid(tiles, heads.slot.heads(), 1, AttendTile.THREADS, tile.sharedBytes()),
          heads.out.address(),
          heads.q.address(),
          area.places(),
          area.starts(),
          area.ends(),
          area.parts(),
          shape.parts(),
          heads.tables);
    };
  }

  // Single rows.

  /** Heads that share keys together. */
  private Call byGroups(Heads heads) {
    int most = GROUPS_A_MULTIPROCESSOR * multiprocessors;
    var whole = groups(heads, false);
    var kernel = binding.kernel(whole.kernel());
    var share = binding.kernel(groups(heads, true).kernel());
    var shared = new Shared(heads, most / whole.blocks() * heads.count());
    return shape -> {
      int pages = heads.pages(shape);
      // Two turns take no longer than the joining of shares.
      int wanted = pages <= 2 * PAGES_AT_ONCE ? 1 : Math.ceilDiv(pages, PAGES_AT_ONCE);
      int count = Math.min(wanted, most / (whole.blocks() * shape.rows()));
      shared.launch(shape, kernel, share, whole.blocks(), count, AttendGroup.THREADS);
    };
  }

  private AttendGroup groups(Heads heads, boolean shares) {
    return new AttendGroup(
        heads.slot,
        binding.kvType(),
        heads.count(),
        heads.scores,
        heads.q.lie(),
        heads.out.lie(),
        area.partBytes(),
        shares);
  }

  /** Each head by itself. */
  private Call byHeads(Heads heads) {
    int most = BLOCKS_A_MULTIPROCESSOR * multiprocessors;
    var kernel = binding.kernel(heads(heads, false).kernel());
    var share = binding.kernel(heads(heads, true).kernel());
    var shared = new Shared(heads, most);
    return shape -> {
      // Two pages take no longer than the joining of two shares.
      int count = Math.min(heads.pages(shape) / 2, most / (heads.count() * shape.rows()));
      shared.launch(shape, kernel, share, heads.count(), count, Attend.THREADS);
    };
  }

  private Attend heads(Heads heads, boolean shares) {
    return new Attend(
        heads.slot,
        binding.kvType(),
        heads.count(),
        heads.scores,
        heads.q.lie(),
        heads.out.lie(),
        area.partBytes(),
        shares);
  }

  /** Rows whose positions several blocks may share, and room for what these leave. */
  private final class Shared {
    private final Heads heads;
    private final Kernels.Wanted merge;
    private final long room;

    /**
     * @param shares of a row and head, all together, at the most
     */
    Shared(Heads heads, int shares) {
      this.heads = heads;
      int width = heads.slot.valueDim();
      merge = binding.kernel(new Merge(heads.count(), width, heads.out.lie()).kernel());
      room = binding.scratchBytes((long) shares * Merge.floats(width) * Float.BYTES);
    }

    /** Tells of {@code blocks} blocks a row and share, and of the joining of several. */
    void launch(
        Shape shape,
        Kernels.Wanted whole,
        Kernels.Wanted share,
        int blocks,
        int wanted,
        int threads) {
      int count = Math.clamp(wanted, 1, Merge.SHARES);
      long to = count > 1 ? binding.scratch().address() + room : heads.out.address();
      binding.launch(
          count > 1 ? share : whole,
          new Grid(blocks, shape.rows(), count, threads, 0),
          to,
          heads.q.address(),
          area.places(),
          area.starts(),
          area.ends(),
          area.owners(),
          heads.tables);
      if (count == 1) return;
      binding.launch(
          merge,
          Grid.of(heads.count(), shape.rows(), Merge.THREADS),
          heads.out.address(),
          to,
          count);
    }
  }
}
