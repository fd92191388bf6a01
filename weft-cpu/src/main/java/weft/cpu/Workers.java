package weft.cpu;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import weft.backend.MemorySource;
import weft.cpu.kernel.Meeting;

/**
 * The threads of a device; the caller is one of them. Between tasks they spin briefly, since the
 * next token comes within microseconds, then park. Owns the threads.
 */
final class Workers implements Team, AutoCloseable {
  /**
   * About 20 microseconds (a pause takes 65 cycles on Zen): what workers are apart at a meeting.
   */
  private static final int SPINS = 1_000;

  /** Then they give way, which costs nothing on an idle machine and lets a late worker run. */
  private static final int YIELDS = 1_000;

  /** More workers than cores only get in each other's way: they give way at once and soon sleep. */
  private static final int CROWDED_YIELDS = 50;

  private final List<Worker> workers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicInteger generation = new AtomicInteger();
  private final AtomicInteger finished = new AtomicInteger();
  private final AtomicInteger arrived = new AtomicInteger();
  private final AtomicInteger barrier = new AtomicInteger();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private volatile Consumer<Worker> task = worker -> {};
  private volatile boolean isClosed;

  private final int spins;
  private final int yields;
  private final Meeting meeting;
  private final Solo solo;

  Workers(int count, MemorySource memory) {
    this.solo = new Solo(memory);
    boolean isCrowded = count > Runtime.getRuntime().availableProcessors();
    this.spins = isCrowded ? 0 : SPINS;
    this.yields = isCrowded ? CROWDED_YIELDS : YIELDS;
    this.meeting = new Meeting(count, spins);
    for (int i = 0; i < count; i++) workers.add(new Worker(i, count, memory));
    for (int i = 1; i < count; i++) {
      var worker = workers.get(i);
      var thread = new Thread(() -> serve(worker), "weft-cpu-" + i);
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
  }

  @Override
  public int count() {
    return workers.size();
  }

  @Override
  public Meeting meeting() {
    return meeting;
  }

  /** The caller without the other threads. */
  Team solo() {
    return solo;
  }

  @Override
  public void run(Consumer<Worker> work) {
    task = work;
    finished.set(0);
    // A failed run may have left arrivals; here nobody is on the way to a meeting.
    arrived.set(0);
    failure.set(null);
    generation.incrementAndGet();
    threads.forEach(LockSupport::unpark);
    attempt(workers.getFirst());
    for (int turn = 0; finished.get() < workers.size(); turn++) pause(turn);
    switch (failure.get()) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case Throwable e -> throw new AssertionError("kernels throw unchecked exceptions only", e);
    }
  }

  /** Once one worker has failed nobody waits, so that the failure gets out. */
  @Override
  public void meet() {
    if (workers.size() == 1) return;
    int round = barrier.get();
    if (arrived.incrementAndGet() == workers.size()) {
      arrived.set(0);
      barrier.incrementAndGet();
      return;
    }
    for (int turn = 0; barrier.get() == round; turn++) {
      if (failure.get() != null) throw new Abandoned();
      pause(turn);
    }
  }

  /** Ends a worker whose peers will never arrive. */
  private static final class Abandoned extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Abandoned() {
      super("another worker failed", null, false, false);
    }
  }

  private void serve(Worker worker) {
    int seen = 0;
    while (!isClosed) {
      for (int turn = 0; generation.get() == seen && !isClosed; turn++) {
        // Between replies there may be nothing for hours: sleep until run() or close() says so.
        if (turn < spins + yields) giveWay(turn);
        else LockSupport.park(this);
      }
      if (isClosed) return;
      seen = generation.get();
      attempt(worker);
    }
  }

  private void attempt(Worker worker) {
    try {
      task.accept(worker);
    } catch (Abandoned e) {
      // The failure that caused this is already kept.
    } catch (Throwable e) {
      failure.compareAndSet(null, e);
    } finally {
      finished.incrementAndGet();
    }
  }

  private void pause(int turn) {
    if (turn < spins + yields) giveWay(turn);
    else LockSupport.parkNanos(50_000);
  }

  private void giveWay(int turn) {
    if (turn < spins) Thread.onSpinWait();
    else Thread.yield();
  }

  @Override
  public void close() {
    isClosed = true;
    threads.forEach(LockSupport::unpark);
    for (var thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
    workers.forEach(Worker::close);
    meeting.close();
    solo.close();
  }
}
