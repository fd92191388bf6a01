package weft.generate;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * One thread that owns the model's device and makes many replies at once, all of them in one
 * forward pass a step; requests join and leave at any step. Owns its sequences, not the model.
 */
public final class Engine implements AutoCloseable {

  /**
   * How much happens at once.
   *
   * @param parallel replies in the making; further requests wait their turn
   * @param budget tokens fed in one forward pass, by all of them together
   */
  public record Capacity(int parallel, int budget) {
    public Capacity {
      if (parallel < 1) {
        throw new GenerateException("an engine makes at least 1 reply at once, got " + parallel);
      }
      if (budget < parallel) {
        throw new GenerateException(
            "a step's budget must hold a token for each of "
                + parallel
                + " parallel replies, got "
                + budget);
      }
    }
  }

  private record Seat(Ticket ticket, Sequence sequence, Turn turn) {}

  private final Model model;
  private final Capacity capacity;
  private final Thread thread;
  private final Object lock = new Object();
  private final Deque<Ticket> waiting = new ArrayDeque<>(); // guarded by lock
  private boolean closing; // guarded by lock

  // The rest belongs to the engine's thread.
  private final Batch batch;
  private final Slots slots;
  private final Workspace workspace;
  private final List<Seat> seats = new ArrayList<>();
  private Optional<Model.Claim> claim = Optional.empty();

  private Engine(Model model, Capacity capacity) {
    this.model = model;
    this.capacity = capacity;
    this.batch = new Batch(model, capacity.budget());
    this.slots = new Slots(model, capacity.parallel());
    this.workspace = new Workspace(model.vocabularySize());
    this.thread = Thread.ofPlatform().name("weft-engine").daemon().unstarted(this::run);
  }

  /** Starts an engine; while it makes replies only its thread may use the model. */
  public static Engine start(Model model, Capacity capacity) {
    Engine engine = new Engine(model, capacity);
    engine.thread.start();
    return engine;
  }

  /** Queues a request; one that cannot fit the model is refused here, with the reason. */
  public Ticket submit(Request request) {
    request.requireFits(model);
    Ticket ticket = new Ticket(request);
    synchronized (lock) {
      if (closing) {
        throw new GenerateException("the engine is closed and takes no more requests");
      }
      waiting.add(ticket);
      lock.notifyAll();
    }
    return ticket;
  }

  /** Cancels what is waiting or in the making, then waits until the engine's thread is gone. */
  @Override
  public void close() {
    synchronized (lock) {
      closing = true;
      lock.notifyAll();
    }
    boolean interrupted = false;
    while (thread.isAlive() && Thread.currentThread() != thread) {
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
      while (admit()) {
        step();
        settle();
        if (seats.isEmpty()) release();
      }
      seats.forEach(seat -> seat.ticket().cancel());
      settle();
      slots.close();
    } catch (RuntimeException | Error e) {
      end.initCause(e);
      throw e;
    } finally {
      release();
      leave(end);
    }
  }

  /** One forward pass for all; while there are replies in the making, the model is the engine's. */
  private void step() {
    try {
      if (claim.isEmpty()) claim = Optional.of(model.claim());
    } catch (GenerateException taken) {
      seats.forEach(seat -> seat.turn().fail(taken));
      return;
    }
    batch.step();
  }

  private void release() {
    claim.ifPresent(Model.Claim::close);
    claim = Optional.empty();
  }

  /** Waits for something to do and seats who can be seated; false when the engine closes. */
  private boolean admit() {
    List<Ticket> admitted = new ArrayList<>();
    List<Ticket> dropped = new ArrayList<>();
    synchronized (lock) {
      while (waiting.isEmpty() && seats.isEmpty() && !closing) {
        try {
          lock.wait();
        } catch (InterruptedException ignored) {
          // Only close() ends this thread: an interrupt is a stray one of some listener.
        }
      }
      if (closing) {
        return false;
      }
      waiting.removeIf(ticket -> ticket.isCancelled() && dropped.add(ticket));
      for (int free = capacity.parallel() - seats.size(); free > 0; free--) {
        if (!waiting.isEmpty()) {
          admitted.add(waiting.remove());
        }
      }
    }
    dropped.forEach(Ticket::completeUnstarted);
    admitted.forEach(this::seat);
    return true;
  }

  private void seat(Ticket ticket) {
    Request request = ticket.request();
    try {
      Sequence sequence = slots.lend(request.prompt());
      try {
        Turn turn = new Turn(model, sequence, request, workspace, ticket::isCancelled);
        seats.add(new Seat(ticket, sequence, turn));
        batch.add(turn);
      } catch (Throwable foreign) {
        slots.discard(sequence);
        throw foreign;
      }
    } catch (Throwable foreign) {
      ticket.fail(Batch.wrap("the turn could not begin", foreign));
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
      slots.giveBack(seat.sequence());
      seat.ticket().complete(reply);
    } catch (GenerateException error) {
      try {
        slots.discard(seat.sequence());
      } catch (RuntimeException unclosed) {
        error.addSuppressed(unclosed);
      }
      seat.ticket().fail(error);
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
    unstarted.forEach(Ticket::completeUnstarted);
    for (Seat seat : seats) {
      seat.turn().fail(end);
      seat.ticket().fail(end);
    }
  }
}
