package weft.cpu.kernel.walk;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import weft.cpu.asm.Fault;
import weft.cpu.asm.FaultGuard;
import weft.cpu.asm.Frame;
import weft.cpu.kernel.emit.Kernel;

/**
 * Where workers inside {@link Walker emitted code} wait for each other; owns the counters and the
 * workers' {@link Frame}s.
 *
 * <p>Arrivals are counted and never reset: worker after worker adds one and waits until there are
 * as many as all workers make by its own count of meetings, so a fast one can be on its way to the
 * next meeting while a slow one leaves this one. A meeting that is called off has more arrivals
 * than anybody waits for, so all who wait or come later leave at once, until it is begun anew.
 */
public final class Meeting implements AutoCloseable {
  /** Counters that different workers write lie this far apart. */
  static final int LINE = 64;

  static final int ARRIVALS = 0;

  /** How many of those who wait are asleep, for the last to wake. */
  static final int SLEEPERS = 8;

  static final int WORKERS = LINE;
  static final int SPINS = LINE + 8;
  static final int YIELDS = LINE + 16;

  /** Not zero once the meeting was called off. */
  static final int CALLED_OFF = LINE + 24;

  /** Behind this, each worker's own count of meetings and its frame, a line apart. */
  static final int PASSED = 2 * LINE;

  static final int FRAME = 8;

  /**
   * Added to the arrivals: more than will ever come, and a change of the half that sleepers watch.
   */
  static final long ALL = (1L << 62) + (1L << 31);

  /**
   * How patient those who wait are.
   *
   * @param spins how often a worker looks before it gives way to other threads
   * @param yields how often it does so before it sleeps
   */
  public record Patience(int spins, int yields) {}

  private static final VarHandle WORD = JAVA_LONG.varHandle();

  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;
  private final List<Frame> frames = new ArrayList<>();
  private final Kernel callOff;

  public Meeting(Kernel callOff, int workers, Patience patience) {
    this.callOff = callOff;
    memory = arena.allocate(PASSED + (long) workers * LINE, LINE);
    memory.set(JAVA_LONG, WORKERS, workers);
    memory.set(JAVA_LONG, SPINS, patience.spins);
    memory.set(JAVA_LONG, YIELDS, patience.yields);
    var guard = FaultGuard.open();
    for (int worker = 0; worker < workers; worker++) {
      frames.add(guard.frame());
      memory.set(ADDRESS, line(worker) + FRAME, frames.getLast().memory());
    }
  }

  private static long line(int worker) {
    return PASSED + (long) worker * LINE;
  }

  MemorySegment memory() {
    return memory;
  }

  /** What ended this worker's last walk before its time; it is forgotten with this. */
  public Optional<Fault> fault(int worker) {
    return frames.get(worker).fault();
  }

  /** Sends all home who wait or will come, from any thread: one of them cannot come any more. */
  public void callOff() {
    callOff.run(memory, 0, 1, MemorySegment.NULL);
  }

  public boolean isCalledOff() {
    return (long) WORD.getVolatile(memory, (long) CALLED_OFF) != 0;
  }

  /** After a meeting was called off and all have left: the next ones are as the first. */
  public void beginAnew() {
    memory.set(JAVA_LONG, ARRIVALS, 0);
    memory.set(JAVA_LONG, SLEEPERS, 0);
    for (int worker = 0; worker < frames.size(); worker++) memory.set(JAVA_LONG, line(worker), 0);
    WORD.setVolatile(memory, (long) CALLED_OFF, 0L);
  }

  @Override
  public void close() {
    frames.forEach(Frame::close);
    frames.clear();
    if (arena.scope().isAlive()) arena.close();
  }
}
