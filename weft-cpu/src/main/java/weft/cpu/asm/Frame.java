package weft.cpu.asm;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Where a thread in emitted code goes on after a {@link Fault}. The code writes its stack pointer
 * and its way out here when it begins, and clears the stack pointer when it ends. Belongs to the
 * {@link FaultGuard}; closing gives it back.
 */
public final class Frame implements AutoCloseable {
  /** The stack pointer of the code in use, or zero. */
  public static final int STACK = 0;

  /** The address to go on at. */
  public static final int RESUME = 8;

  static final int ADDRESS = 16;
  static final int SIGNAL = 24;

  /** Frames are written by different threads: a line of the cache for each. */
  static final int BYTES = 64;

  private final FaultGuard guard;
  private final int number;
  private final MemorySegment memory;

  Frame(FaultGuard guard, int number, MemorySegment memory) {
    this.guard = guard;
    this.number = number;
    this.memory = memory.fill((byte) 0);
  }

  public MemorySegment memory() {
    return memory;
  }

  /** The fault that ended the last run, which is forgotten with this. */
  public Optional<Fault> fault() {
    long signal = memory.get(JAVA_LONG, SIGNAL);
    if (signal == 0) return Optional.empty();
    memory.set(JAVA_LONG, SIGNAL, 0);
    return Optional.of(new Fault(Fault.Kind.of(signal), memory.get(JAVA_LONG, ADDRESS)));
  }

  @Override
  public void close() {
    guard.giveBack(number);
  }
}
