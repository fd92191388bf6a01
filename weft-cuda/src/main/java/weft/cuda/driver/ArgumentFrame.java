package weft.cuda.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import weft.cuda.driver.Driver.Grid;

/** Where what a thread launches kernels with lies while the driver reads it. */
final class ArgumentFrame {
  private static final int PARAMETERS = 32;

  /** The driver's CUlaunchConfig: seven words, then queue, attributes and their number. */
  private static final int CONFIG_BYTES = 56;

  private static final int QUEUE_AT = 32;
  private static final int ATTRIBUTES_AT = 40;
  private static final int COUNT_AT = 48;

  /** Its CUlaunchAttribute: what it is, and 64 bytes for what it says. */
  private static final int ATTRIBUTE_BYTES = 72;

  /** The kernel may begin before the last one has ended, for which it waits itself. */
  private static final int PROGRAMMATIC_STREAM_SERIALIZATION = 6;

  private final MemorySegment values = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG, PARAMETERS);
  private final MemorySegment addresses =
      Arena.ofAuto().allocate(ValueLayout.JAVA_LONG, PARAMETERS);
  private final MemorySegment config = Arena.ofAuto().allocate(CONFIG_BYTES, Long.BYTES);
  private final MemorySegment early = Arena.ofAuto().allocate(ATTRIBUTE_BYTES, Long.BYTES);

  ArgumentFrame() {
    for (int i = 0; i < PARAMETERS; i++) {
      addresses.setAtIndex(ValueLayout.JAVA_LONG, i, values.address() + (long) i * Long.BYTES);
    }
    early.set(ValueLayout.JAVA_INT, 0, PROGRAMMATIC_STREAM_SERIALIZATION);
    early.set(ValueLayout.JAVA_INT, 8, 1);
    config.set(ValueLayout.JAVA_LONG, ATTRIBUTES_AT, early.address());
    config.set(ValueLayout.JAVA_INT, COUNT_AT, 1);
  }

  /**
   * Tells a queue of a kernel; gives the driver's status.
   *
   * @param isEarly whether the kernel may begin before the one that was told before it has ended
   */
  int launch(Calls calls, long kernel, Grid grid, long queue, long[] arguments, boolean isEarly) {
    MemorySegment.copy(arguments, 0, values, ValueLayout.JAVA_LONG, 0, arguments.length);
    if (isEarly) {
      return calls.status("cuLaunchKernelEx", early(grid, queue), kernel, addresses.address(), 0);
    }
    return calls.status(
        "cuLaunchKernel",
        kernel,
        grid.x(),
        grid.y(),
        grid.z(),
        grid.threads(),
        1,
        1,
        grid.sharedBytes(),
        queue,
        addresses.address(),
        0);
  }

  /** The address of what says that such a grid begins as early as it can. */
  private long early(Grid grid, long queue) {
    int[] words = {grid.x(), grid.y(), grid.z(), grid.threads(), 1, 1, grid.sharedBytes()};
    MemorySegment.copy(words, 0, config, ValueLayout.JAVA_INT, 0, words.length);
    config.set(ValueLayout.JAVA_LONG, QUEUE_AT, queue);
    return config.address();
  }
}
