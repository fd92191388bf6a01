package weft.cuda;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import weft.cuda.driver.Driver;

/** Brings rows of floats from the device, by way of pinned memory that it owns. */
final class Fetch implements Owned {
  private final Driver driver;
  private final int longest;

  /** Most programs' rows are never fetched whole. */
  private Optional<MemorySegment> window = Optional.empty();

  /**
   * @param longest elements of a row
   */
  Fetch(Driver driver, int longest) {
    this.driver = driver;
    this.longest = longest;
  }

  /** Waits for so many elements and copies them. */
  void row(long address, int elements, float[] to) {
    if (window.isEmpty()) window = Optional.of(driver.pinned((long) longest * Float.BYTES));
    var there = window.get().asSlice(0, (long) elements * Float.BYTES);
    driver.download(address, there);
    driver.synchronize();
    MemorySegment.copy(there, ValueLayout.JAVA_FLOAT, 0, to, 0, elements);
  }

  @Override
  public void close() {
    window.ifPresent(driver::unpin);
    window = Optional.empty();
  }
}
