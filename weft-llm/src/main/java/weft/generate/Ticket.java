package weft.generate;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** A submitted request, for any thread: wait for its reply, follow it piece by piece, cancel it. */
public final class Ticket {
  private final Request request;
  private final Listener listener;
  private final CompletableFuture<Reply> reply = new CompletableFuture<>();
  private final List<Piece> heard = new ArrayList<>(); // guarded by itself
  private volatile boolean cancelled;

  Ticket(Request request) {
    this.request = request.withListener(this::hear);
    this.listener = request.listener();
  }

  private Listener.Answer hear(Piece piece) {
    synchronized (heard) {
      heard.add(piece);
      heard.notifyAll();
    }
    return listener.hear(piece);
  }

  /** Waits for the reply; throws what went wrong as a {@link GenerateException}. */
  public Reply await() {
    try {
      return reply.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof GenerateException ours ? ours : e;
    }
  }

  /** The reply to come; actions hung on it run on the engine's thread, so they should be quick. */
  public CompletionStage<Reply> future() {
    return reply.minimalCompletionStage();
  }

  /**
   * The pieces from the first on, waiting for each; it throws where the reply fails. Closing the
   * stream cancels the request.
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

  /** For a request cancelled before it began. */
  void completeUnstarted() {
    complete(new Reply(List.of(), Finish.CANCELLED, Usage.unstarted(request.prompt().length)));
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
          try {
            heard.wait();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new GenerateException("interrupted while waiting for piece " + next, e);
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
