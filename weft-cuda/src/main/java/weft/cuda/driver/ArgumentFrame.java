package weft.cuda.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Where a thread's arguments lie while a launch reads them. */
final class ArgumentFrame {
  private static final int PARAMETERS = 32;

  private final MemorySegment values = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG, PARAMETERS);
  private final MemorySegment addresses =
      Arena.ofAuto().allocate(ValueLayout.JAVA_LONG, PARAMETERS);

  ArgumentFrame() {
    for (int i = 0; i < PARAMETERS; i++) {
      addresses.setAtIndex(ValueLayout.JAVA_LONG, i, values.address() + (long) i * Long.BYTES);
    }
  }

  /** The address of the arguments' addresses, which are these until the next call. */
  long with(long[] arguments) {
    MemorySegment.copy(arguments, 0, values, ValueLayout.JAVA_LONG, 0, arguments.length);
    return addresses.address();
  }
}
