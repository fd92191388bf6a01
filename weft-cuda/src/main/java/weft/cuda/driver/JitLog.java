package weft.cuda.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What the driver's compiler is told and says of one compilation: a text of what is wrong, and a
 * word for what is right. Owns the memory of both, which must live as long as the compilation.
 */
final class JitLog implements AutoCloseable {
  /** How many options there are. */
  static final int OPTIONS = 2;

  // Numbers of cuda.h: CU_JIT_ERROR_LOG_BUFFER and CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES.
  private static final int ERROR_LOG = 5;
  private static final int ERROR_LOG_BYTES = 6;

  private static final int LOG_BYTES = 16 << 10;

  private final Arena arena = Arena.ofConfined();
  private final MemorySegment log = arena.allocate(LOG_BYTES);
  private final MemorySegment options =
      arena.allocateFrom(ValueLayout.JAVA_INT, ERROR_LOG, ERROR_LOG_BYTES);
  private final MemorySegment values =
      arena.allocateFrom(ValueLayout.JAVA_LONG, log.address(), LOG_BYTES);
  private final MemorySegment found = arena.allocate(ValueLayout.JAVA_LONG);

  long options() {
    return options.address();
  }

  long values() {
    return values.address();
  }

  /** Where a call writes what it made. */
  long found() {
    return found.address();
  }

  /** What it wrote there. */
  long word() {
    return found.get(ValueLayout.JAVA_LONG, 0);
  }

  String text() {
    return log.getString(0);
  }

  @Override
  public void close() {
    arena.close();
  }
}
