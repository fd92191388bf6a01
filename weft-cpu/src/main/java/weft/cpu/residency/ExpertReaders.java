package weft.cpu.residency;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.Predicate;

/**
 * The threads that read experts, what steps wait for before what may be of use; owns them. All but
 * {@link #close} is called with the cache's lock held. No worker of a step ever reads.
 */
final class ExpertReaders {
  /** Three parts of one expert at once; a disk is quickest with a few reads in flight. */
  private static final int THREADS = 3;

  /** Parts of a slot that one thread reads. */
  record Task(int slot, int from, int to) {}

  /** Does a task, without the lock. */
  interface Work {
    void read(Task task);
  }

  private final Lock lock;
  private final Condition more;
  private final Deque<Task> wanted = new ArrayDeque<>();
  private final Deque<Task> ahead = new ArrayDeque<>();
  private final List<Thread> threads = new ArrayList<>();
  private boolean isClosed;

  ExpertReaders(Lock lock, Work work) {
    this.lock = lock;
    this.more = lock.newCondition();
    for (int i = 1; i <= THREADS; i++) {
      var thread = new Thread(() -> serve(work), "weft-experts-" + i);
      thread.setDaemon(true);
      threads.add(thread);
    }
    threads.forEach(Thread::start);
  }

  /** Each part is a task, so that several threads share an expert that a step waits for. */
  void want(int slot, int parts) {
    for (int part = 0; part < parts; part++) wanted.add(new Task(slot, part, part + 1));
    more.signalAll();
  }

  /** All parts are one task: a guess must not hold every thread. */
  void readAhead(int slot, int parts) {
    ahead.add(new Task(slot, 0, parts));
    more.signal();
  }

  /** Takes the tasks of slots back that nobody has begun. */
  List<Task> takeBack(Predicate<Task> which) {
    var taken = ahead.stream().filter(which).toList();
    ahead.removeAll(taken);
    return taken;
  }

  private void serve(Work work) {
    for (var task = next(); task.isPresent(); task = next()) work.read(task.get());
  }

  private Optional<Task> next() {
    lock.lock();
    try {
      while (true) {
        if (isClosed) return Optional.empty();
        if (!wanted.isEmpty()) return Optional.of(wanted.remove());
        if (!ahead.isEmpty()) return Optional.of(ahead.remove());
        more.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits for reads that have begun; without the lock. */
  void close() {
    lock.lock();
    isClosed = true;
    more.signalAll();
    lock.unlock();
    boolean isInterrupted = false;
    for (var thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          isInterrupted = true; // they write to memory that goes when this returns
        }
      }
    }
    if (isInterrupted) Thread.currentThread().interrupt();
  }
}
