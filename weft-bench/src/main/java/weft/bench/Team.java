package weft.bench;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.concurrent.CyclicBarrier;
import java.util.function.IntConsumer;

/** Runs the same task on some threads at once and says how long all of them took. */
final class Team {
  private final int threads;

  Team(int threads) {
    this.threads = threads;
  }

  int threads() {
    return threads;
  }

  /**
   * Seconds of processor time that the busiest thread took: what a kernel needs, also on a machine
   * that runs other things beside it.
   */
  double busySeconds(IntConsumer task) {
    var clock = ManagementFactory.getThreadMXBean();
    var busy = new long[threads];
    seconds(
        member -> {
          long begun = clock.getCurrentThreadCpuTime();
          task.accept(member);
          busy[member] = clock.getCurrentThreadCpuTime() - begun;
        });
    return Arrays.stream(busy).max().orElse(0) * 1e-9;
  }

  /** Seconds from the moment all threads are ready to the moment the last is done. */
  double seconds(IntConsumer task) {
    var ready = new CyclicBarrier(threads);
    var begun = new long[threads];
    var ended = new long[threads];
    var members = new Thread[threads];
    for (int t = 0; t < threads; t++) {
      int member = t;
      members[t] =
          Thread.ofPlatform()
              .start(
                  () -> {
                    await(ready);
                    begun[member] = System.nanoTime();
                    task.accept(member);
                    ended[member] = System.nanoTime();
                  });
    }
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (int t = 0; t < threads; t++) {
      join(members[t]);
      first = Math.min(first, begun[t]);
      last = Math.max(last, ended[t]);
    }
    return (last - first) * 1e-9;
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new IllegalStateException("a thread of the team did not come", e);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while measuring", e);
    }
  }
}
