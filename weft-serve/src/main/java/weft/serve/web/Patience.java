package weft.serve.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import weft.serve.ask.Problem;
import weft.serve.ask.ProblemException;

/**
 * How long the server waits for a client that sends or reads. A socket has no time limit for
 * writing, and one for reading counts anew with every byte; so whoever takes longer is interrupted,
 * which closes the socket of a virtual thread. Safe for all threads.
 */
public final class Patience implements AutoCloseable {
  private final Duration body;
  private final Duration write;
  private final ScheduledExecutorService clock;

  /**
   * @param body for all of a request's body
   * @param write for a piece of an answer
   */
  public Patience(Duration body, Duration write) {
    this.body = body;
    this.write = write;
    var executor =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("weft-patience").factory());
    executor.setRemoveOnCancelPolicy(true);
    this.clock = executor;
  }

  <T> T reading(Callable<T> work) {
    return within(body, work);
  }

  <T> T writing(Callable<T> work) {
    return within(write, work);
  }

  private <T> T within(Duration limit, Callable<T> work) {
    var thread = Thread.currentThread();
    var isOver = new AtomicBoolean(); // whoever sets it first has its way
    var alarm =
        clock.schedule(
            () -> {
              if (isOver.compareAndSet(false, true)) thread.interrupt();
            },
            limit.toMillis(),
            TimeUnit.MILLISECONDS);
    try {
      var result = call(work);
      if (isOver.compareAndSet(false, true)) return result;
    } catch (RuntimeException e) {
      if (isOver.compareAndSet(false, true)) throw e;
    } finally {
      alarm.cancel(false);
    }
    boolean _ = Thread.interrupted();
    throw new ProblemException(new Problem.TooSlow());
  }

  private static <T> T call(Callable<T> work) {
    try {
      return work.call();
    } catch (RuntimeException e) {
      throw e;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (Exception e) {
      throw new UncheckedIOException(new IOException("the client is gone", e));
    }
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
