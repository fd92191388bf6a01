package weft.generate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A submitted request: wait for its reply, follow it piece by piece, cancel it. Whoever waits and
 * is interrupted, cancels a future of it or closes a stream of it ends the reply within a step. No
 * reader holds the engine up: what was not read yet lies here, at most the whole reply. Safe for
 * all threads.
 */
public final class Ticket {
  private final Request request;
  private final Listener listener;
  private final Runnable requireMayWait;
  private final CompletableFuture<Reply> reply = new CompletableFuture<>();
  private final List<Piece> heard = new ArrayList<>(); // guarded by itself
  private volatile boolean cancelled;

  /** {@code requireMayWait} throws on a thread that would wait for itself. */
  Ticket(Request request, Runnable requireMayWait) {
    this.request = request.withListener(this::hear);
    this.listener = request.listener();
    this.requireMayWait = requireMayWait;
  }

  private Listener.Answer hear(Piece piece) {
    synchronized (heard) {
      heard.add(piece);
      heard.notifyAll();
    }
    return listener.hear(piece);
  }

  /**
   * Waits for the reply; throws what went wrong as a {@link GenerateException}. An interrupt
   * cancels the request, too, and stays set.
   */
  public Reply await() {
    requireMayWait();
    try {
      return reply.get();
    } catch (ExecutionException e) {
      throw failure(e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** As {@link #await()}, for so long at most: then there is none yet, and the request goes on. */
  public Optional<Reply> await(Duration patience) {
    Objects.requireNonNull(patience, "patience");
    requireMayWait();
    try {
      return Optional.of(reply.get(nanos(patience), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      return Optional.empty();
    } catch (ExecutionException e) {
      throw failure(e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private void requireMayWait() {
    if (!reply.isDone()) requireMayWait.run();
  }

  /** Centuries do not fit. */
  private static long nanos(Duration patience) {
    return TimeUnit.NANOSECONDS.convert(patience);
  }

  private static GenerateException failure(ExecutionException e) {
    return e.getCause() instanceof GenerateException ours
        ? ours
        : new GenerateException("the reply failed: " + e.getCause(), e);
  }

  private GenerateException interrupted(InterruptedException e) {
    cancel();
    Thread.currentThread().interrupt();
    return new GenerateException("interrupted while waiting for a reply, which is cancelled", e);
  }

  /**
   * The reply to come; each call gives another. Cancelling it, or completing it before the reply
   * does, cancels the request. Actions hung on it run on the engine's thread, so they should be
   * quick.
   */
  public CompletableFuture<Reply> future() {
    CompletableFuture<Reply> copy = reply.copy();
    var _ =
        copy.whenComplete(
            (_, _) -> {
              if (!reply.isDone()) cancel();
            });
    return copy;
  }

  /**
   * The pieces from the first on, waiting for each; it throws where the reply fails. Closing the
   * stream cancels the request, as an interrupt of who waits does.
   */
  public Stream<Piece> pieces() {
    var spliterator =
        Spliterators.spliteratorUnknownSize(
            new Pieces(), Spliterator.ORDERED | Spliterator.NONNULL);
    return StreamSupport.stream(spliterator, false).onClose(this::cancel);
  }

  /** Ends the request soon, wherever it is; its reply then holds what there was. */
  public void cancel() {
    cancelled = true;
  }

  Request request() {
    return request;
  }

  boolean isCancelled() {
    return cancelled;
  }

  void complete(Reply done) {
    reply.complete(done);
    wake();
  }

  /** What a request cancelled before it began is answered. */
  Reply unstarted() {
    return new Reply(
        List.of(), Finish.CANCELLED, Optional.empty(), Usage.unstarted(request.prompt().length));
  }

  void fail(GenerateException error) {
    reply.completeExceptionally(error);
    wake();
  }

  private void wake() {
    synchronized (heard) {
      heard.notifyAll();
    }
  }

  private final class Pieces implements Iterator<Piece> {
    private int next;

    @Override
    public boolean hasNext() {
      synchronized (heard) {
        while (next == heard.size() && !reply.isDone()) {
          requireMayWait();
          try {
            heard.wait();
          } catch (InterruptedException e) {
            throw interrupted(e);
          }
        }
        if (next < heard.size()) {
          return true;
        }
      }
      await();
      return false;
    }

    @Override
    public Piece next() {
      if (!hasNext()) {
        throw new NoSuchElementException("the reply ended after " + next + " pieces");
      }
      synchronized (heard) {
        return heard.get(next++);
      }
    }
  }
}
