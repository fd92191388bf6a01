package weft.generate;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * One thread that makes many replies at once, all of them in one forward pass a step; requests join
 * and leave at any step. Owns its sequences, not the model, which it takes for one step at a time.
 * Safe for all threads.
 */
public final class Engine implements AutoCloseable {

  private record Seat(Ticket ticket, Sequence sequence, Turn turn) {}

  private final Model model;
  private final Capacity capacity;
  private final Tally tally = new Tally();
  private final Thread thread;
  private final Object lock = new Object();
  private final Deque<Ticket> waiting = new ArrayDeque<>(); // guarded by lock
  private int inside; // waiting or in the making; guarded by lock
  private boolean closing; // guarded by lock

  // The rest belongs to the engine's thread.
  private final Batch batch;
  private final SequencePool pool;
  private final Workspace workspace;
  private final List<Seat> seats = new ArrayList<>();

  private Engine(Model model, Capacity capacity) {
    this.model = Objects.requireNonNull(model, "model");
    this.capacity = Objects.requireNonNull(capacity, "capacity");
    this.pool = new SequencePool(model, capacity.parallel());
    this.batch = new Batch(model, capacity.budget(), pool::closeIdle);
    this.workspace = new Workspace(model.vocabularySize());
    this.thread = Thread.ofPlatform().name("weft-engine").daemon().unstarted(this::run);
  }

  /** Starts an engine of {@link Capacity#standard}. */
  public static Engine start(Model model) {
    return start(model, Capacity.standard());
  }

  public static Engine start(Model model, Capacity capacity) {
    Engine engine = new Engine(model, capacity);
    engine.thread.start();
    return engine;
  }

  /**
   * Queues a request; one that cannot fit the model is refused here, with the reason, and one that
   * the queue has no place for by a {@link BusyException}.
   */
  public Ticket submit(Request request) {
    Objects.requireNonNull(request, "request").requireFits(model);
    Ticket ticket = new Ticket(request, this::requireOtherThread);
    synchronized (lock) {
      if (closing) {
        throw new GenerateException("the engine is closed and takes no more requests");
      }
      if (inside - capacity.parallel() >= capacity.queue()) {
        tally.refused();
        throw new BusyException(
            inside - capacity.parallel(), capacity.queue(), tally.retryAfter(capacity.parallel()));
      }
      inside++;
      waiting.add(ticket);
      tally.submitted();
      lock.notifyAll();
    }
    return ticket;
  }

  /** Waits for the reply to a request, as {@link Ticket#await()} does. */
  public Reply generate(Request request) {
    requireOtherThread();
    return submit(request).await();
  }

  /** The reply to a request as far as it has come by then: a late one is cancelled. */
  public Reply generate(Request request, Duration patience) {
    requireOtherThread();
    Ticket ticket = submit(request);
    return ticket
        .await(patience)
        .orElseGet(
            () -> {
              ticket.cancel();
              return ticket.await();
            });
  }

  /** The pieces of a reply as they come, as {@link Ticket#pieces} gives them. */
  public Stream<Piece> stream(Request request) {
    requireOtherThread();
    return submit(request).pieces();
  }

  /** What it does now and has done; any thread may ask. */
  public EngineReport report() {
    synchronized (lock) {
      return new EngineReport(
          capacity, waiting.size(), inside - waiting.size(), tally.counts(), model.memory());
    }
  }

  /** Whether the calling thread is the engine's own, as it is in a listener. */
  public boolean isOwnThread() {
    return Thread.currentThread() == thread;
  }

  private void requireOtherThread() {
    if (isOwnThread()) {
      throw new GenerateException(
          "a listener runs on the engine's own thread, which cannot wait for a reply that it is to"
              + " make itself; wait on another thread");
    }
  }

  /**
   * Cancels what is waiting or in the making, then waits until the engine's thread is gone; a
   * listener, which is on that thread, does not wait.
   */
  @Override
  public void close() {
    synchronized (lock) {
      closing = true;
      lock.notifyAll();
    }
    boolean interrupted = false;
    while (thread.isAlive() && !isOwnThread()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    GenerateException end = new GenerateException("the engine's thread ended unexpectedly");
    try {
      while (hasWork()) {
        step(admitted());
      }
      seats.forEach(seat -> seat.ticket().cancel());
      settle();
      pool.close();
    } catch (RuntimeException | Error e) {
      end.initCause(e);
      throw e;
    } finally {
      leave(end);
    }
  }

  /** Waits for something to do; false when the engine closes. */
  private boolean hasWork() {
    synchronized (lock) {
      while (waiting.isEmpty() && seats.isEmpty() && !closing) {
        try {
          lock.wait();
        } catch (InterruptedException ignored) {
          // Only close() ends this thread: an interrupt is a stray one of some listener.
        }
      }
      return !closing;
    }
  }

  /** Those who waited and can be seated now. */
  private List<Ticket> admitted() {
    List<Ticket> admitted = new ArrayList<>();
    List<Ticket> dropped = new ArrayList<>();
    synchronized (lock) {
      waiting.removeIf(ticket -> ticket.isCancelled() && dropped.add(ticket));
      for (int free = capacity.parallel() - seats.size(); free > 0; free--) {
        if (!waiting.isEmpty()) {
          admitted.add(waiting.remove());
        }
      }
    }
    dropped.forEach(ticket -> complete(ticket, ticket.unstarted()));
    return admitted;
  }

  /** Seats who comes and runs one forward pass for all, while the model is the engine's. */
  private void step(List<Ticket> admitted) {
    try (var _ = model.claim()) {
      admitted.forEach(this::seat);
      batch.step();
      settle();
    } catch (GenerateException closed) {
      admitted.forEach(ticket -> fail(ticket, closed));
      seats.forEach(seat -> seat.turn().fail(closed));
      settle();
    }
  }

  private void seat(Ticket ticket) {
    Request request = ticket.request();
    try {
      Sequence sequence = lend(request);
      try {
        Turn turn = new Turn(model, sequence, request, workspace, ticket::isCancelled);
        seats.add(new Seat(ticket, sequence, turn));
        batch.add(turn);
      } catch (Throwable foreign) {
        pool.discard(sequence);
        throw foreign;
      }
    } catch (StepRefusedException refusal) {
      waitOrFail(ticket, refusal);
    } catch (Throwable foreign) {
      fail(ticket, Batch.wrap("the turn could not begin", foreign));
    }
  }

  /** A sequence; idle ones give their memory for it. */
  private Sequence lend(Request request) {
    while (true) {
      try {
        return pool.lend(request.prompt());
      } catch (StepRefusedException refusal) {
        if (!pool.closeIdle()) {
          throw refusal;
        }
      }
    }
  }

  /** Those in the making give their memory back one day; where there are none, nobody will. */
  private void waitOrFail(Ticket ticket, StepRefusedException refusal) {
    if (seats.isEmpty()) {
      fail(ticket, refusal);
      return;
    }
    synchronized (lock) {
      waiting.addFirst(ticket);
    }
  }

  private void settle() {
    seats.removeIf(
        seat -> {
          boolean done = seat.turn().isDone();
          if (done) {
            vacate(seat);
          }
          return done;
        });
  }

  private void vacate(Seat seat) {
    try {
      Reply reply = seat.turn().reply();
      pool.giveBack(seat.sequence());
      complete(seat.ticket(), reply);
    } catch (GenerateException error) {
      try {
        pool.discard(seat.sequence());
      } catch (RuntimeException unclosed) {
        error.addSuppressed(unclosed);
      }
      fail(seat.ticket(), error);
    }
  }

  private void complete(Ticket ticket, Reply reply) {
    tally.ended(reply);
    isOut();
    ticket.complete(reply);
  }

  private void fail(Ticket ticket, GenerateException error) {
    tally.failed();
    isOut();
    ticket.fail(error);
  }

  /** One that came is gone, before its caller knows: who asks again at once finds the place. */
  private void isOut() {
    synchronized (lock) {
      inside--;
    }
  }

  /** Leaves nobody waiting for a thread that is gone. */
  private void leave(GenerateException end) {
    List<Ticket> unstarted;
    synchronized (lock) {
      closing = true;
      unstarted = List.copyOf(waiting);
      waiting.clear();
    }
    unstarted.forEach(ticket -> complete(ticket, ticket.unstarted()));
    for (Seat seat : seats) {
      seat.turn().fail(end);
      fail(seat.ticket(), end);
    }
  }
}
