package weft.backend;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Optional;

/**
 * A row in this process's memory. Where its greatest elements are is known by the greatest of each
 * run of neighbours, which a device may have found already; else they are looked for once.
 */
public final class HostRow implements OutputRow {
  /** Neighbours that have one peak. */
  public static final int RUN = 64;

  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT;

  private final MemorySegment memory;
  private final int size;
  private float[] peaks;
  private Optional<Boolean> isFinite = Optional.empty();

  /** The greatest that were asked for so far: a guard asks for two, then a sampler for one. */
  private int[] knownIndexes = {};

  private float[] knownValues = {};

  private HostRow(MemorySegment memory, int size, float[] peaks) {
    this.memory = memory;
    this.size = size;
    this.peaks = peaks;
  }

  public HostRow(MemorySegment memory, int size) {
    this(memory, size, new float[0]);
  }

  /**
   * The same row, of each of whose runs the greatest element is known; NaN if one is not finite.
   */
  public HostRow withPeaks(float[] found) {
    return new HostRow(memory, size, found);
  }

  @Override
  public int size() {
    return size;
  }

  private float at(int element) {
    return memory.getAtIndex(FLOAT, element);
  }

  private int end(int run) {
    return Math.min(size, (run + 1) * RUN);
  }

  private float[] peaks() {
    if (peaks.length == 0) {
      peaks = new float[Math.ceilDiv(size, RUN)];
      for (int run = 0; run < peaks.length; run++) peaks[run] = peak(run);
    }
    return peaks;
  }

  private float peak(int run) {
    float peak = Float.NEGATIVE_INFINITY;
    float finite = 0;
    for (int i = run * RUN; i < end(run); i++) {
      float value = at(i);
      peak = Math.max(peak, value);
      finite += value - value;
    }
    return peak + finite;
  }

  @Override
  public boolean isFinite() {
    if (isFinite.isEmpty()) isFinite = Optional.of(isAllFinite(peaks()));
    return isFinite.get();
  }

  private static boolean isAllFinite(float[] peaks) {
    for (float peak : peaks) if (Float.isNaN(peak)) return false;
    return true;
  }

  @Override
  public int greatest(int count, int[] indexes, float[] values) {
    if (count > knownIndexes.length) find(Math.min(count, size));
    int found = Math.min(count, knownIndexes.length);
    System.arraycopy(knownIndexes, 0, indexes, 0, found);
    System.arraycopy(knownValues, 0, values, 0, found);
    return found;
  }

  private void find(int count) {
    var indexes = new int[count];
    var values = new float[count];
    var found = new Greatest(count, indexes, values);
    if (isFinite() && count < peaks.length) {
      showRunsThatPeakMost(count, found);
    } else {
      show(0, size, found);
    }
    knownIndexes = Arrays.copyOf(indexes, found.count());
    knownValues = Arrays.copyOf(values, found.count());
  }

  /** So many greatest elements lie in as many runs at most. */
  private void showRunsThatPeakMost(int count, Greatest found) {
    var runs = new int[count];
    var most = new Greatest(count, runs, new float[count]);
    float bar = most.bar();
    for (int run = 0; run < peaks.length; run++) {
      if (peaks[run] > bar) {
        most.show(run, peaks[run]);
        bar = most.bar();
      }
    }
    // In their order, so that the lowest index is first among equals.
    Arrays.sort(runs, 0, most.count());
    for (int i = 0; i < most.count(); i++) show(runs[i] * RUN, end(runs[i]), found);
  }

  private void show(int from, int to, Greatest found) {
    // Copied at once: asking for each costs several times as much where nothing is optimized.
    var values = new float[to - from];
    MemorySegment.copy(memory, FLOAT, (long) from * Float.BYTES, values, 0, values.length);
    float bar = found.bar();
    for (int i = 0; i < values.length; i++) {
      if (values[i] > bar) {
        found.show(from + i, values[i]);
        bar = found.bar();
      }
    }
  }

  @Override
  public void copyTo(float[] to) {
    if (to.length < size) {
      throw new BackendException(
          "a row of " + size + " elements does not fit " + to.length + " elements");
    }
    MemorySegment.copy(memory, FLOAT, 0, to, 0, size);
  }
}
