package weft.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import weft.cuda.driver.Driver;
import weft.cuda.interpret.InterpretedDriver;

/**
 * The interpreter behind a queue, as a GPU is: what is told is done when somebody waits for it, as
 * late as can be or at once. So queues that do not wait for each other where they must read what is
 * not there yet, or what was written over.
 */
final class LateDriver implements Driver {
  /** When it does what it is told. */
  enum Manner {
    LATE,
    AT_ONCE,
    /** Late, and without waiting for others: the fault that a test must find. */
    DEAF
  }

  private final InterpretedDriver device = new InterpretedDriver();
  private final Manner manner;
  private final Deque<Runnable> queue = new ArrayDeque<>();
  private final Set<Long> pinned = new HashSet<>();
  private List<Runnable> captured = List.of();
  private boolean isCapturing;
  private long told;
  private long done;

  LateDriver(Manner manner) {
    this.manner = manner;
  }

  private void tell(Runnable task) {
    if (isCapturing) {
      captured.add(task);
      return;
    }
    told++;
    queue.addLast(task);
    if (manner == Manner.AT_ONCE) workUpTo(told);
  }

  private void workUpTo(long count) {
    while (done < count) {
      var task = queue.removeFirst();
      // Counted first: what it waits for may lead back here.
      done++;
      task.run();
    }
  }

  @Override
  public void synchronize() {
    workUpTo(told);
  }

  /** A point of a queue, by what was told before it. */
  private static final class Point implements Mark {
    private final LateDriver of;
    private long at;

    private Point(LateDriver of) {
      this.of = of;
      this.at = of.told;
    }

    @Override
    public void close() {}
  }

  @Override
  public Mark mark() {
    tell(device::mark);
    return new Point(this);
  }

  @Override
  public void mark(Mark again) {
    tell(device::mark);
    ((Point) again).at = told;
  }

  @Override
  public void await(Mark mark) {
    var point = (Point) mark;
    point.of.workUpTo(point.at);
  }

  @Override
  public void follow(Mark mark) {
    var point = (Point) mark;
    long at = point.at;
    if (manner != Manner.DEAF) tell(() -> point.of.workUpTo(at));
  }

  @Override
  public void send(long from, Driver peer, long to, long bytes) {
    tell(() -> device.send(from, ((LateDriver) peer).device, to, bytes));
  }

  @Override
  public Properties properties() {
    return device.properties();
  }

  @Override
  public long freeBytes() {
    return device.freeBytes();
  }

  @Override
  public long allocate(long bytes) {
    return device.allocate(bytes);
  }

  @Override
  public void free(long address) {
    synchronize();
    device.free(address);
  }

  @Override
  public MemorySegment pinned(long bytes) {
    var memory = device.pinned(bytes);
    pinned.add(memory.address());
    return memory;
  }

  @Override
  public void unpin(MemorySegment memory) {
    device.unpin(memory);
  }

  @Override
  public void upload(MemorySegment from, long to) {
    var read = from;
    if (!pinned.contains(from.address())) {
      read = Arena.ofAuto().allocate(from.byteSize()).copyFrom(from);
    }
    var kept = read;
    tell(() -> device.upload(kept, to));
  }

  @Override
  public void download(long from, MemorySegment to) {
    tell(() -> device.download(from, to));
  }

  @Override
  public void copy(long from, long to, long bytes) {
    tell(() -> device.copy(from, to, bytes));
  }

  @Override
  public void clear(long at, long bytes) {
    tell(() -> device.clear(at, bytes));
  }

  @Override
  public Module module(String ptx) {
    return device.module(ptx);
  }

  @Override
  public byte[] compile(String ptx) {
    return device.compile(ptx);
  }

  @Override
  public Module module(byte[] code) {
    return device.module(code);
  }

  @Override
  public void launch(Function function, Grid grid, long... arguments) {
    var values = arguments.clone();
    tell(() -> device.launch(function, grid, values));
  }

  private record Recorded(List<Runnable> tasks) implements Graph {
    @Override
    public void close() {}
  }

  @Override
  public Graph capture(Runnable launched) {
    captured = new ArrayList<>();
    isCapturing = true;
    try {
      launched.run();
    } finally {
      isCapturing = false;
    }
    return new Recorded(List.copyOf(captured));
  }

  @Override
  public void launch(Graph graph) {
    ((Recorded) graph).tasks().forEach(this::tell);
  }

  @Override
  public double millis(Mark from, Mark to) {
    return 0;
  }

  @Override
  public void close() {
    synchronize();
    device.close();
  }
}
