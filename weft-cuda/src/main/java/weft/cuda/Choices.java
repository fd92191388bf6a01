package weft.cuda;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import weft.cuda.driver.Driver;
import weft.cuda.driver.Driver.Grid;
import weft.cuda.kernel.Best;
import weft.cuda.kernel.LeadTokens;
import weft.cuda.kernel.Leaders;
import weft.cuda.kernel.Peaks;

/**
 * The greatest elements of an output's rows, found on the device. The two that lead come back with
 * the step, those of all rows by one copy: a guard looks whether they are level, and a token that
 * is not drawn by chance is the first. More are found once somebody asks, for all rows at once,
 * since who samples one row most often samples them all. Owns the memory of both.
 */
final class Choices implements Owned {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

  /** Words of an element: its index, its value. */
  private static final int ELEMENT = 2;

  private final Driver driver;
  private final Binding binding;
  private final Located rows;
  private final Peaks peaks;
  private final Kernels.Wanted peaksKernel;
  private final Kernels.Wanted leadersKernel;
  private final Kernels.Wanted bestKernel;
  private final Kernels.Wanted tokensKernel;
  private final Memory there;
  private final MemorySegment here;

  /** Where leaders begin there, and behind them the best; the leaders' place here is the first. */
  private final long leadersAt;

  private final long leadersBytes;
  private int wanted;
  private final int[] led;
  private boolean hasLed;
  private final int[] ranked;
  private boolean hasRanked;

  /**
   * @param most rows of a step
   */
  Choices(Driver driver, Binding binding, Located rows, int most) {
    this.driver = driver;
    this.binding = binding;
    this.rows = rows;
    this.peaks =
        new Peaks(
            rows.type().rowElements(), rows.lie().strides().getFirst(), rows.offset() % 16 == 0);
    this.peaksKernel = binding.kernel(peaks.kernel());
    this.leadersKernel = binding.kernel(new Leaders(peaks).kernel());
    this.bestKernel = binding.kernel(new Best(peaks).kernel());
    this.tokensKernel = binding.kernel(new LeadTokens().kernel());
    this.leadersAt = Math.ceilDiv((long) most * peaks.runs() * Float.BYTES, 16L) * 16;
    this.leadersBytes = (long) most * Leaders.BYTES;
    this.led = new int[most * Leaders.BYTES / Integer.BYTES];
    this.ranked = new int[most * Best.BYTES / Integer.BYTES];
    long bytes = leadersBytes + (long) most * Best.BYTES;
    this.there = new Memory(driver);
    this.here = driver.pinned(bytes);
    try {
      there.allocate(leadersAt + bytes);
    } catch (RuntimeException | Error e) {
      driver.unpin(here);
      throw e;
    }
  }

  /** What is told behind a step's launches. */
  void tell(Shape shape) {
    if (shape.wanted() == 0) return;
    int blocks = Math.ceilDiv(peaks.runs(), Peaks.RUNS_A_BLOCK);
    binding.launch(
        peaksKernel,
        Grid.of(blocks, shape.wanted(), Peaks.THREADS),
        there.address(),
        rows.address());
    binding.launch(
        leadersKernel,
        Grid.of(shape.wanted(), Leaders.THREADS),
        there.address() + leadersAt,
        there.address(),
        rows.address());
    driver.download(
        there.address() + leadersAt, here.asSlice(0, (long) shape.wanted() * Leaders.BYTES));
  }

  /**
   * Has the first leaders of the last step's rows be a list of tokens.
   *
   * @param tokens where the list is
   * @param vocabulary one more than the greatest of them
   */
  void lead(long tokens, int count, int vocabulary) {
    binding.launch(
        tokensKernel,
        Grid.of(Math.ceilDiv(count, LeadTokens.THREADS), LeadTokens.THREADS),
        tokens,
        there.address() + leadersAt,
        count,
        vocabulary - 1);
  }

  /** What was known of the last step is not true of the next, which wants so many rows. */
  void begin(int nextWanted) {
    wanted = nextWanted;
    hasLed = false;
    hasRanked = false;
  }

  /** Whether a row is of the last step. */
  boolean has(int row) {
    return row < wanted;
  }

  boolean isFinite(int row) {
    return !Float.isNaN(Float.intBitsToFloat(led()[row * Leaders.COUNT * ELEMENT + 1]));
  }

  /** The first of a finite row's two leaders, or both. */
  void leaders(int row, int count, int[] indexes, float[] values) {
    copy(led(), row * Leaders.COUNT, count, indexes, values);
  }

  /** Some of a finite row's greatest. */
  void best(int row, int count, int[] indexes, float[] values) {
    copy(ranked(), row * Best.COUNT, count, indexes, values);
  }

  private int[] led() {
    if (!hasLed) {
      MemorySegment.copy(here, INT, 0, led, 0, wanted * Leaders.COUNT * ELEMENT);
      hasLed = true;
    }
    return led;
  }

  private int[] ranked() {
    if (!hasRanked) {
      long at = there.address() + leadersAt + leadersBytes;
      binding.launch(
          bestKernel, Grid.of(wanted, Best.THREADS), at, there.address(), rows.address());
      driver.download(at, here.asSlice(leadersBytes, (long) wanted * Best.BYTES));
      driver.synchronize();
      MemorySegment.copy(here, INT, leadersBytes, ranked, 0, wanted * Best.COUNT * ELEMENT);
      hasRanked = true;
    }
    return ranked;
  }

  private static void copy(int[] from, int first, int count, int[] indexes, float[] values) {
    for (int i = 0; i < count; i++) {
      indexes[i] = from[(first + i) * ELEMENT];
      values[i] = Float.intBitsToFloat(from[(first + i) * ELEMENT + 1]);
    }
  }

  @Override
  public void close() {
    driver.unpin(here);
    there.close();
  }
}
