package weft.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Optional;
import weft.backend.BackendException;
import weft.backend.HostRow;
import weft.backend.OutputRow;
import weft.cuda.driver.Driver;

/**
 * A row on the device. Where the greatest of each run of it came back with the step, few of its
 * elements are fetched to tell which is the greatest; else all of them are.
 */
final class CudaRow implements OutputRow {
  /** So many runs are fetched one by one; the whole row is as quick as more. */
  private static final int FEW_RUNS = 8;

  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT;

  private final Driver driver;
  private final long address;
  private final int size;
  private final float[] peaks;
  private Optional<HostRow> whole = Optional.empty();

  /** The greatest that were asked for so far: a guard asks for two, then a sampler for one. */
  private int[] knownIndexes = {};

  private float[] knownValues = {};

  /**
   * @param peaks of each run, or none
   */
  CudaRow(Driver driver, long address, int size, float[] peaks) {
    this.driver = driver;
    this.address = address;
    this.size = size;
    this.peaks = peaks;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public boolean isFinite() {
    if (peaks.length == 0) return whole().isFinite();
    for (float peak : peaks) if (Float.isNaN(peak)) return false;
    return true;
  }

  @Override
  public int greatest(int count, int[] indexes, float[] values) {
    if (count == 0) return 0;
    if (whole.isPresent() || peaks.length <= count || count > FEW_RUNS || !isFinite()) {
      return whole().greatest(count, indexes, values);
    }
    if (count > knownIndexes.length) {
      var found = new int[count];
      var elements = new float[count];
      int few = amongRuns(count, found, elements);
      if (few < 0) return whole().greatest(count, indexes, values);
      knownIndexes = Arrays.copyOf(found, few);
      knownValues = Arrays.copyOf(elements, few);
    }
    System.arraycopy(knownIndexes, 0, indexes, 0, count);
    System.arraycopy(knownValues, 0, values, 0, count);
    return count;
  }

  /** Those that lie in runs whose peaks are not below the last of as many peaks; -1: too many. */
  private int amongRuns(int count, int[] indexes, float[] values) {
    float bar = bar(count);
    var runs = new int[FEW_RUNS];
    int found = 0;
    for (int run = 0; run < peaks.length; run++) {
      if (peaks[run] < bar) continue;
      if (found == FEW_RUNS) return -1;
      runs[found++] = run;
    }
    return among(Arrays.copyOf(runs, found), count, indexes, values);
  }

  /** The so many-th greatest peak. */
  private float bar(int count) {
    var greatest = new float[count];
    Arrays.fill(greatest, Float.NEGATIVE_INFINITY);
    for (float peak : peaks) {
      if (peak <= greatest[count - 1]) continue;
      int at = count - 1;
      for (; at > 0 && greatest[at - 1] < peak; at--) greatest[at] = greatest[at - 1];
      greatest[at] = peak;
    }
    return greatest[count - 1];
  }

  private int among(int[] runs, int count, int[] indexes, float[] values) {
    try (var arena = Arena.ofConfined()) {
      var fetched = arena.allocate(FLOAT, (long) runs.length * HostRow.RUN);
      int end = 0;
      var starts = new int[runs.length];
      for (int i = 0; i < runs.length; i++) {
        int from = runs[i] * HostRow.RUN;
        int length = Math.min(HostRow.RUN, size - from);
        starts[i] = end;
        driver.download(
            address + (long) from * Float.BYTES,
            fetched.asSlice((long) end * Float.BYTES, (long) length * Float.BYTES));
        end += length;
      }
      driver.synchronize();
      int found = new HostRow(fetched, end).greatest(count, indexes, values);
      for (int i = 0; i < found; i++) {
        int run = runs.length - 1;
        while (starts[run] > indexes[i]) run--;
        indexes[i] += runs[run] * HostRow.RUN - starts[run];
      }
      return found;
    }
  }

  private HostRow whole() {
    if (whole.isEmpty()) {
      var copy = Arena.ofAuto().allocate(FLOAT, size);
      driver.download(address, copy);
      driver.synchronize();
      whole = Optional.of(new HostRow(copy, size));
    }
    return whole.get();
  }

  @Override
  public void copyTo(float[] to) {
    if (to.length < size) {
      throw new BackendException(
          "a row of " + size + " elements does not fit " + to.length + " elements");
    }
    if (whole.isPresent()) {
      whole.get().copyTo(to);
      return;
    }
    try (var arena = Arena.ofConfined()) {
      var copy = arena.allocate(FLOAT, size);
      driver.download(address, copy);
      driver.synchronize();
      MemorySegment.copy(copy, FLOAT, 0, to, 0, size);
    }
  }
}
