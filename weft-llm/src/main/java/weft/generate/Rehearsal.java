package weft.generate;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;

/**
 * Steps that nobody waits for, run before there are any that somebody does: their programs are
 * compiled by it, and it is known what steps of a few sizes take, so that none is tried for the
 * first time while replies are written. Runs on the engine's thread, one pass at a time, and is
 * waited for by another.
 */
final class Rehearsal {
  /**
   * Sizes that kernels are made for, and those just behind them where a token more may take much
   * longer; those that say most come first, for time may not suffice for all.
   */
  private static final int[] SIZES = {1, 2, 4, 8, 16, 17, 32, 33, 64, 9, 5};

  /** The first of a size compiles, and of two others the quicker counts. */
  private static final int TIMES = 3;

  /** So many rows want logits at the most, as those of replies do. */
  private static final int WANTED = 8;

  /** Knuth's multiplier: tokens that differ, so that a mixture of experts uses many of them. */
  private static final long SPREAD = 2_654_435_761L;

  private final long most;
  private final CompletableFuture<Void> end = new CompletableFuture<>();
  private int size;
  private int time;
  private long spent;
  private long last;

  /** Takes so long at most, as far as can be foreseen. */
  Rehearsal(Duration most) {
    this.most = most.toNanos();
  }

  /** Who learns what a step of so many rows took. */
  @FunctionalInterface
  interface Ran {
    void ran(int rows, long nanos);
  }

  /** Runs one pass; says whether that was the last. What there is no memory for is left out. */
  boolean step(Model model, int largest, Ran learner, LongSupplier nanos) {
    try {
      int rows = Math.min(SIZES[size], Math.min(largest, model.contextLength()));
      long began = nanos.getAsLong();
      run(model, rows);
      last = nanos.getAsLong() - began;
      spent += last;
      learner.ran(rows, last);
      if (++time == TIMES) {
        time = 0;
        size++;
      }
      if (size == SIZES.length || spent + expected() > most) end.complete(null);
    } catch (StepRefusedException noRoom) {
      end.complete(null);
    } catch (RuntimeException | Error e) {
      fail(Batch.wrap("the rehearsal failed", e));
    }
    return end.isDone();
  }

  private static void run(Model model, int rows) {
    int[] tokens = new int[rows];
    for (int i = 0; i < rows; i++) tokens[i] = (int) (i * SPREAD % model.vocabularySize());
    try (Session session = model.open()) {
      model.forward(List.of(new Model.Step(session, tokens, Math.min(rows, WANTED))));
    }
  }

  /** What the next size should take in all its passes, as dear a token as in the last pass. */
  private long expected() {
    if (time > 0) return last;
    return TIMES * last * SIZES[size] / SIZES[size - 1];
  }

  /** There will be no more of it. */
  void leave() {
    end.complete(null);
  }

  void fail(GenerateException error) {
    end.completeExceptionally(error);
  }

  /** Waits for its end; throws what went wrong. */
  void await() {
    try {
      end.get();
    } catch (ExecutionException e) {
      throw Batch.wrap("the rehearsal failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new GenerateException(
          "interrupted while the engine rehearsed, which it goes on with", e);
    }
  }
}
