package weft.backend;

import java.lang.foreign.MemorySegment;

/**
 * Reads bytes of mapped tensors from their files once more, into memory of the caller's. Safe for
 * all threads; who opened it closes it.
 */
public interface TensorReader extends AutoCloseable {
  /** What places and sizes of reads are multiples of: memory to read into begins at one. */
  long alignment();

  /** The memory that reading so many bytes takes, wherever they lie in their file. */
  default long room(long bytes) {
    return (Math.ceilDiv(bytes, alignment()) + 1) * alignment();
  }

  /**
   * Reads what {@code mapped} is a view of, without touching it, into memory that has {@link #room}
   * for it, and gives the part of that memory where the bytes are. Throws an exception that names
   * the file where they cannot be had.
   */
  MemorySegment read(MemorySegment mapped, MemorySegment to);

  @Override
  void close();
}
