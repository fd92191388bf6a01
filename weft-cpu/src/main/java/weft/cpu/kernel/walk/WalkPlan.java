package weft.cpu.kernel.walk;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import weft.cpu.kernel.emit.Kernel;

/**
 * A run of launches that workers walk in one native call each. Owns the launches' {@link
 * CallList}s.
 */
public final class WalkPlan implements AutoCloseable {
  static final int MEETING = 0;
  static final int STRIDE = 8;
  static final int BEGUN = 16;
  static final int LAUNCHES = 24;

  /** A launch: where its calls lie, and when it ended. */
  static final int CALLS = 0;

  static final int ENDED = 8;
  static final int LAUNCH_BYTES = 16;

  private static final long CACHE_LINE = 64;

  private final Arena arena = Arena.ofShared();
  private final List<CallList> lists = new ArrayList<>();
  private final Kernel walker;
  private final MemorySegment memory;
  private long scratchBytes;

  /** A plan of this many launches, all of them empty, for at most so many workers. */
  public WalkPlan(Kernel walker, int launches, int workers) {
    this.walker = walker;
    this.memory = arena.allocate(LAUNCHES + (launches + 1L) * LAUNCH_BYTES, CACHE_LINE);
    memory.set(JAVA_LONG, STRIDE, CallList.stride(workers));
    for (int i = 0; i < launches; i++) lists.add(new CallList(arena, workers));
  }

  /** Who walks from now on; all lists must be written again then. */
  public void gather(Meeting meeting, int team) {
    memory.set(ADDRESS, MEETING, meeting.memory());
    lists.forEach(list -> list.gather(team));
  }

  /** The calls of a launch, to be written; {@link #place} makes them count. */
  public CallList calls(int launch) {
    return lists.get(launch);
  }

  /** Takes over a launch's calls after they were written. */
  public void place(int launch) {
    memory.set(ADDRESS, at(launch) + CALLS, lists.get(launch).entries());
    scratchBytes = Math.max(scratchBytes, lists.get(launch).scratchBytes());
  }

  /** What each worker needs for itself, by the longest step so far. */
  public long scratchBytes() {
    return scratchBytes;
  }

  /** Does one worker's part of all launches; every worker must call it. */
  public void walk(int worker, MemorySegment scratch) {
    walker.run(memory, worker, worker, scratch);
  }

  /** How long a launch took in the last walk, as a share of the whole walk. */
  public double share(int launch) {
    long begun = launch == 0 ? memory.get(JAVA_LONG, BEGUN) : ended(launch - 1);
    long whole = ended(lists.size() - 1) - memory.get(JAVA_LONG, BEGUN);
    return whole <= 0 ? 0 : (double) (ended(launch) - begun) / whole;
  }

  private long ended(int launch) {
    return memory.get(JAVA_LONG, at(launch) + ENDED);
  }

  private static long at(int launch) {
    return LAUNCHES + (long) launch * LAUNCH_BYTES;
  }

  @Override
  public void close() {
    arena.close();
  }
}
