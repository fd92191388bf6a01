package weft.cpu.emitted;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import weft.backend.Step;
import weft.backend.Weights;
import weft.cpu.kernel.KernelLibrary;
import weft.cpu.kernel.emit.PlainRows;
import weft.cpu.kernel.experts.ExpertProductsArguments;
import weft.cpu.kernel.product.FinishArguments;
import weft.cpu.kernel.walk.CallList;
import weft.cpu.launch.Rows2d;
import weft.cpu.launch.SharedScratch;
import weft.cpu.residency.ExpertCache;

/**
 * Guesses what the next layer's router will choose, by giving it what this layer's router was
 * given: from one layer to the next the rows change little (FATE, arXiv:2502.12224).
 */
public final class NextRouter {
  /** More rows want so many experts that there is nothing to guess. */
  private static final int FEW_ROWS = 8;

  private final KernelLibrary library;
  private final Weights.Tensor router;
  private final int used;
  private final MemorySegment addresses;
  private final MemorySegment scores;
  private final float[] ofARow;

  private NextRouter(
      KernelLibrary library, Weights.Tensor router, int used, SharedScratch scratch) {
    this.library = library;
    this.router = router;
    this.used = used;
    this.addresses = scratch.addresses(List.of(router.parts().getFirst()));
    this.scores = scratch.block((long) FEW_ROWS * router.rows() * Float.BYTES);
    this.ofARow = new float[experts()];
  }

  /**
   * A router of float weights; others would want their rows as bytes.
   *
   * @param used experts that a row uses
   */
  public static Optional<NextRouter> of(
      KernelLibrary library, Weights.Tensor router, int used, SharedScratch scratch) {
    boolean isPlain = router.encoding().blockValues() == 1 && router.parts().size() == 1;
    return isPlain && library.multiplies(router.encoding())
        ? Optional.of(new NextRouter(library, router, used, scratch))
        : Optional.empty();
  }

  private int experts() {
    return Math.toIntExact(router.rows());
  }

  /** The router as if it were the only expert, of every row. */
  void record(Rows2d x, Step step, CallList calls) {
    int rows = x.count(step);
    if (rows > FEW_ROWS) return;
    var kernels = calls.arguments((long) ExpertProductsArguments.KERNEL_COUNT * Long.BYTES);
    for (int n = 1; n <= ExpertProductsArguments.KERNEL_COUNT; n++) {
      library
          .product(router.encoding(), Math.min(n, rows), router.columns())
          .entry()
          .writeTo(kernels, 8L * (n - 1));
    }
    var starts = calls.arguments(2L * Integer.BYTES);
    starts.setAtIndex(JAVA_INT, 0, 0);
    starts.setAtIndex(JAVA_INT, 1, rows);
    var block = calls.arguments(ExpertProductsArguments.BYTES);
    new ExpertProductsArguments(
            addresses,
            kernels,
            starts,
            1,
            rows,
            router.rowBytes(),
            router.columns(),
            x.from(0, 0),
            PlainRows.packed(scores, experts()))
        .write(block);
    calls.needScratch(KernelLibrary.SCRATCH_BYTES);
    calls.call(library.expertProducts(), block, experts(), FinishArguments.MULTIPLE);
  }

  /** Tells the layer what will likely be chosen behind it, the likeliest of each row first. */
  void guess(int rows, ExpertCache.Visit visit) {
    if (rows > FEW_ROWS) return;
    int experts = experts();
    int[][] ranks = new int[used][rows];
    for (int row = 0; row < rows; row++) {
      MemorySegment.copy(scores, Rows2d.FLOAT, 4L * row * experts, ofARow, 0, experts);
      for (int rank = 0; rank < used; rank++) {
        int best = best();
        ranks[rank][row] = best;
        ofARow[best] = Float.NEGATIVE_INFINITY;
      }
    }
    visit.guess(ranks);
  }

  private int best() {
    int found = 0;
    for (int e = 1; e < ofARow.length; e++) if (ofARow[e] > ofARow[found]) found = e;
    return found;
  }
}
