package weft.format;

import java.util.List;
import java.util.function.Supplier;

/**
 * The files that lie under a checkpoint's memory; none where they were copied. Whoever reads that
 * memory does it within {@link #reading}, so that a file that changes meanwhile is an error that
 * says so. Safe for all threads.
 */
public final class CheckpointFiles {
  private final List<FileStamp> stamps;

  CheckpointFiles(List<FileStamp> stamps) {
    this.stamps = List.copyOf(stamps);
  }

  /** Throws a {@link FormatException} that names the file which is not what it was. */
  public void requireUnchanged() {
    for (var stamp : stamps) stamp.requireUnchanged();
  }

  /**
   * What {@code read} gives, if the files are what they were. A page that is gone when Java reads
   * it is an {@link InternalError} there, and an exception here.
   */
  public <T> T reading(Supplier<T> read) {
    requireUnchanged();
    try {
      return read.get();
    } catch (InternalError e) {
      if (isFault(e)) throw fault(e);
      throw e;
    } catch (FormatException e) {
      throw e;
    } catch (RuntimeException e) {
      // Whatever it is, a file that was cut short under it is the reason.
      explain(e);
      throw e;
    }
  }

  private RuntimeException fault(InternalError e) {
    explain(e);
    return new FormatException(
        (stamps.isEmpty() ? "a file" : stamps.getFirst().path())
            + " could not be read where it is mapped; was it cut short, or is its disk gone?",
        e);
  }

  private void explain(Throwable failure) {
    try {
      requireUnchanged();
    } catch (FormatException changed) {
      changed.addSuppressed(failure);
      throw changed;
    }
  }

  /** The JVM's words for a page that could not be had; other internal errors are its own. */
  private static boolean isFault(InternalError e) {
    return e.getMessage() != null && e.getMessage().contains("unsafe memory access");
  }
}
