package weft.cuda;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Two things that are done at once, for neither needs the other. */
final class Both {
  private Both() {}

  /** Does one on a thread of its own and the other here; ends when both have, however they end. */
  static void of(Runnable beside, Runnable here) {
    var other = new FutureTask<>(beside, true);
    Thread.ofPlatform().name("weft-cuda-load").daemon().start(other);
    try {
      here.run();
    } catch (RuntimeException | Error e) {
      try {
        await(other);
      } catch (RuntimeException | Error second) {
        e.addSuppressed(second);
      }
      throw e;
    }
    await(other);
  }

  /** An interrupt is kept until it is over: what runs writes to memory of its caller. */
  private static void await(FutureTask<?> task) {
    boolean isInterrupted = false;
    try {
      while (true) {
        try {
          task.get();
          return;
        } catch (InterruptedException e) {
          isInterrupted = true;
        } catch (ExecutionException e) {
          if (e.getCause() instanceof RuntimeException failure) throw failure;
          if (e.getCause() instanceof Error failure) throw failure;
          throw new AssertionError("a task throws nothing else", e);
        }
      }
    } finally {
      if (isInterrupted) Thread.currentThread().interrupt();
    }
  }
}
