package weft.cpu.team;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import weft.backend.BackendException;
import weft.backend.MemorySource;
import weft.cpu.kernel.KernelLibrary;
import weft.cpu.kernel.walk.Meeting;

/**
 * The threads of a device; the caller is one of them. Between tasks they spin briefly, since the
 * next token comes within microseconds, then park. Owns the threads; confined to one caller at a
 * time, which the device sees to.
 */
public final class Workers implements Team, AutoCloseable {
  /**
   * About 20 microseconds (a pause takes 65 cycles on Zen): what workers are apart at a meeting.
   */
  private static final int SPINS = 1_000;

  /** Then they give way, which costs nothing on an idle machine and lets a late worker run. */
  private static final int YIELDS = 1_000;

  /**
   * In the middle of a step they do so for some ten milliseconds, and then sleep: a core that slept
   * comes back late, above all a virtual one (16 workers on 16 of them wrote a tenth less when they
   * slept after half a millisecond), and only who was thrown off a core lets others wait so long.
   */
  private static final int YIELDS_IN_A_STEP = 50_000;

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
  private volatile Thread caller = Thread.currentThread();
  private volatile boolean isClosed;

  private final Meeting.Patience patience;
  private final Optional<Meeting> meeting;
  private final Solo solo;

  /** With a library they can meet in emitted code too. */
  public Workers(int count, MemorySource memory, Optional<KernelLibrary> library) {
    boolean isCrowded = count > Runtime.getRuntime().availableProcessors();
    this.patience =
        isCrowded ? new Meeting.Patience(0, CROWDED_YIELDS) : new Meeting.Patience(SPINS, YIELDS);
    var inAStep = isCrowded ? patience : new Meeting.Patience(SPINS, YIELDS_IN_A_STEP);
    this.meeting = library.map(l -> l.meeting(count, inAStep));
    this.solo = new Solo(memory, library.map(l -> l.meeting(1, inAStep)));
    for (int i = 0; i < count; i++) workers.add(new Worker(i, count, memory));
    try {
      for (int i = 1; i < count; i++) start(workers.get(i));
    } catch (OutOfMemoryError e) { // what the JVM calls it when the system gives no thread
      int started = threads.size() + 1;
      close();
      throw new BackendException(
          "the system gave " + started + " of " + count + " threads; use fewer --threads", e);
    }
  }

  private void start(Worker worker) {
    var thread = new Thread(() -> serve(worker), "weft-cpu-" + worker.index());
    thread.setDaemon(true);
    thread.start();
    threads.add(thread);
  }

  @Override
  public int count() {
    return workers.size();
  }

  @Override
  public Meeting meeting() {
    return meeting.orElseThrow();
  }

  /** The caller without the other threads. */
  Team solo() {
    return solo;
  }

  @Override
  public void run(Consumer<Worker> work) {
    task = work;
    caller = Thread.currentThread();
    finished.set(0);
    // A failed run may have left arrivals; here nobody is on the way to a meeting.
    arrived.set(0);
    meeting.filter(Meeting::isCalledOff).ifPresent(Meeting::beginAnew);
    failure.set(null);
    generation.incrementAndGet();
    threads.forEach(LockSupport::unpark);
    attempt(workers.getFirst());
    awaitAll();
    switch (failure.get()) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case Throwable e -> throw new AssertionError("kernels throw unchecked exceptions only", e);
    }
  }

  /** Whatever comes, the others are in memory that the caller may free: it waits for them. */
  private void awaitAll() {
    boolean isInterrupted = false;
    for (int turn = 0; finished.get() < workers.size(); turn++) {
      if (turn < patience.spins() + patience.yields()) giveWay(turn);
      else LockSupport.park(this);
      // An interrupt ends every park at once, so it is put aside until all are done.
      isInterrupted |= Thread.interrupted();
    }
    if (isInterrupted) Thread.currentThread().interrupt();
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
      if (turn < patience.spins() + patience.yields()) giveWay(turn);
      else LockSupport.parkNanos(50_000);
    }
  }

  private void serve(Worker worker) {
    int seen = 0;
    while (!isClosed) {
      for (int turn = 0; generation.get() == seen && !isClosed; turn++) {
        // Between replies there may be nothing for hours: sleep until run() or close() says so.
        if (turn < patience.spins() + patience.yields()) giveWay(turn);
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
      // The others may be waiting for this one in emitted code, where they see no exception.
      meeting.ifPresent(Meeting::callOff);
    } finally {
      if (finished.incrementAndGet() == workers.size()) LockSupport.unpark(caller);
    }
  }

  private void giveWay(int turn) {
    if (turn < patience.spins()) Thread.onSpinWait();
    else Thread.yield();
  }

  /** No step may be running. */
  @Override
  public void close() {
    if (isClosed) return;
    isClosed = true;
    threads.forEach(LockSupport::unpark);
    boolean isInterrupted = false;
    for (var thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          isInterrupted = true; // they end by themselves, and their memory must not go before
        }
      }
    }
    workers.forEach(Worker::close);
    meeting.ifPresent(Meeting::close);
    solo.close();
    if (isInterrupted) Thread.currentThread().interrupt();
  }
}
