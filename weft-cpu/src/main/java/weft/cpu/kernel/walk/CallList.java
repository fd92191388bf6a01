package weft.cpu.kernel.walk;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import weft.cpu.kernel.emit.Kernel;

/**
 * What one launch does, for {@link Walker emitted code} to walk: calls of kernels, each with its
 * arguments and every worker's share, and meetings between them. It is written anew when a step
 * differs from the last it was written for, and keeps its memory, which dies with the plan's.
 */
public final class CallList {
  /** An entry: the kernel, its arguments, then from and to of each worker. */
  static final int KERNEL = 0;

  static final int ARGUMENTS = 8;
  static final int SHARES = 16;

  /** In the kernel's place. */
  static final long END = 0;

  static final long MEET = 1;

  private static final long CACHE_LINE = 64;
  private static final int SMALLEST = 8;

  private final Arena arena;
  private final int workers;
  private final List<MemorySegment> arguments = new ArrayList<>();
  private MemorySegment entries;
  private int team;
  private int size;
  private int usedArguments;
  private long scratchBytes;

  CallList(Arena arena, int workers) {
    this.arena = arena;
    this.workers = workers;
    this.team = workers;
    this.entries = arena.allocate(SMALLEST * stride(workers), CACHE_LINE);
  }

  /** The bytes of an entry. */
  static long stride(int workers) {
    return SHARES + 8L * workers;
  }

  /** How many of the workers share what is written from now on. */
  void gather(int members) {
    team = members;
  }

  /** How many workers share the calls. */
  public int team() {
    return team;
  }

  /** Begins the list again. */
  public void clear() {
    size = 0;
    usedArguments = 0;
    scratchBytes = 0;
    end();
  }

  /** Room for an argument block, which is this list's until it is cleared. */
  public MemorySegment arguments(long bytes) {
    int index = usedArguments++;
    if (index == arguments.size()) arguments.add(arena.allocate(bytes, CACHE_LINE));
    long had = arguments.get(index).byteSize();
    // What was outgrown stays until the end: doubling keeps it less than what is in use.
    if (had < bytes) arguments.set(index, arena.allocate(Math.max(bytes, 2 * had), CACHE_LINE));
    return arguments.get(index);
  }

  /** Each worker needs this much memory of its own for the calls of this list. */
  public void needScratch(long bytes) {
    scratchBytes = Math.max(scratchBytes, bytes);
  }

  public long scratchBytes() {
    return scratchBytes;
  }

  /** Workers share the units as evenly as they go. */
  public void call(Kernel kernel, MemorySegment block, int units) {
    call(kernel, block, units, 1);
  }

  /** Shares are cut at multiples; the last worker has what is left behind them. */
  public void call(Kernel kernel, MemorySegment block, int units, int multiple) {
    int whole = units / multiple;
    entry(kernel, block, units, worker -> begin(whole, worker, team) * multiple);
  }

  /** Where a worker's part begins of units that are shared evenly. */
  public static int begin(int units, int worker, int team) {
    return (int) ((long) units * worker / team);
  }

  /** Each worker has a run of this many units, the last ones what is left. */
  public void callInRuns(Kernel kernel, MemorySegment block, int units, int run) {
    entry(kernel, block, units, worker -> (int) Math.min(units, (long) run * worker));
  }

  /** One worker does all of it, and nobody waits for it here. */
  public void callBy(int worker, Kernel kernel, MemorySegment block, int units) {
    entry(kernel, block, units, other -> other <= worker ? 0 : units);
  }

  /** Where a worker's share begins, which is where that of the worker before it ends. */
  private interface Begin {
    int of(int worker);
  }

  private void entry(Kernel kernel, MemorySegment block, int units, Begin begin) {
    long at = next();
    kernel.entry().writeTo(entries, at + KERNEL);
    entries.set(ADDRESS, at + ARGUMENTS, block);
    for (int worker = 0; worker < team; worker++) {
      int to = worker == team - 1 ? units : begin.of(worker + 1);
      entries.set(JAVA_INT, at + SHARES + 8L * worker, begin.of(worker));
      entries.set(JAVA_INT, at + SHARES + 8L * worker + 4, to);
    }
    end();
  }

  /** All workers wait here for each other. */
  public void meet() {
    // First, for it may move the entries.
    long at = next();
    entries.set(JAVA_LONG, at + KERNEL, MEET);
    end();
  }

  /** The list as the walker reads it; its place may change when the list grows. */
  MemorySegment entries() {
    return entries;
  }

  private long next() {
    // One entry stays free for the end.
    if ((size + 2) * stride(workers) > entries.byteSize()) grow();
    return size++ * stride(workers);
  }

  private void grow() {
    entries = arena.allocate(2 * entries.byteSize(), CACHE_LINE).copyFrom(entries);
  }

  private void end() {
    entries.set(JAVA_LONG, size * stride(workers) + KERNEL, END);
  }
}
