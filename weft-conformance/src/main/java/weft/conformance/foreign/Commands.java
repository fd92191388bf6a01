package weft.conformance.foreign;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import weft.backend.BackendException;

/**
 * What a device was told to do: done one after the other on its own thread, which it owns. Telling
 * does not wait; asking waits for all that was told before. What failed is heard by the next who
 * tells or asks.
 */
final class Commands implements AutoCloseable {
  private final LinkedBlockingQueue<Runnable> told = new LinkedBlockingQueue<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final Thread thread =
      Thread.ofPlatform().daemon().name("foreign device").unstarted(this::work);
  private volatile boolean isClosed;

  Commands() {
    thread.start();
  }

  private void work() {
    while (!isClosed || !told.isEmpty()) {
      try {
        told.take().run();
      } catch (InterruptedException e) {
        // Nobody but a close interrupts it, and that is looked for above.
      }
    }
  }

  /** Is done some time later. */
  void tell(Runnable command) {
    hearFailure();
    told.add(
        () -> {
          try {
            command.run();
          } catch (Throwable e) {
            failure.compareAndSet(null, e);
          }
        });
  }

  /** Is done later, and done when this returns; gives what it gave. */
  <T> T ask(Supplier<T> question) {
    if (Thread.currentThread() == thread) return question.get();
    var answer = new CompletableFuture<T>();
    told.add(
        () -> {
          try {
            answer.complete(question.get());
          } catch (Throwable e) {
            answer.completeExceptionally(e);
          }
        });
    try {
      var given = answer.join();
      hearFailure();
      return given;
    } catch (CompletionException e) {
      throw thrown(e.getCause());
    }
  }

  private void hearFailure() {
    var met = failure.getAndSet(null);
    if (met != null) throw thrown(met);
  }

  private static RuntimeException thrown(Throwable met) {
    return switch (met) {
      case BackendException ours -> ours;
      case Error error -> throw error;
      default -> new BackendException("the foreign device failed: " + met, met);
    };
  }

  /** Waits until all is done. */
  @Override
  public void close() {
    ask(() -> isClosed = true);
    thread.interrupt();
  }
}
