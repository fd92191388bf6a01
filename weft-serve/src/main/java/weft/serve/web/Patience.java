package weft.serve.web;

import io.helidon.common.buffers.DataReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * How long the server waits for a client that sends or reads: a socket has no time limit for
 * writing, and one for reading counts anew with every byte. Whoever takes longer is hung up on, by
 * who looks after all connections every now and then: an alarm for each piece would wake a thread
 * for each. Safe for all threads.
 */
public final class Patience implements AutoCloseable {
  /** Bytes that a client reads in a millisecond at the least. */
  private static final int SLOWEST = 64;

  /** How long a socket may be silent: agents have tools at work between two questions. */
  private static final Duration REST = Duration.ofMinutes(10);

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
    this.clock =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("weft-patience").factory());
  }

  /** Does something again and again. */
  public void every(Duration pause, Runnable work) {
    var _ =
        clock.scheduleWithFixedDelay(
            work, pause.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** For who may be silent, but not for ever. */
  <T> T resting(Connection connection, Callable<T> work) {
    return within(REST, connection, work);
  }

  <T> T reading(Connection connection, Callable<T> work) {
    return within(body, connection, work);
  }

  /** {@code bytes} are what is written: a client that reads on may take long for much. */
  <T> T writing(Connection connection, int bytes, Callable<T> work) {
    return within(write.plusMillis(bytes / SLOWEST), connection, work);
  }

  private <T> T within(Duration limit, Connection connection, Callable<T> work) {
    long before = connection.waitFor(limit);
    try {
      return work.call();
    } catch (RuntimeException e) {
      throw connection.isClosed() || isOfSocket(e) ? gone(e) : e;
    } catch (Exception e) {
      throw gone(e);
    } finally {
      connection.waitUntil(before);
    }
  }

  /** Whether it is Helidon's word for a client that went, which is no failure of the server. */
  private static boolean isOfSocket(Throwable e) {
    for (var each = Optional.of(e); each.isPresent(); each = each.map(Throwable::getCause)) {
      if (each.get() instanceof IOException) return true;
      if (each.get() instanceof DataReader.InsufficientDataAvailableException) return true;
    }
    return false;
  }

  private static UncheckedIOException gone(Exception e) {
    return new UncheckedIOException(new IOException("the client is gone", e));
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
