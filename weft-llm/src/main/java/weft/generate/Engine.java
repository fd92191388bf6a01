package weft.generate;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * One thread that makes many replies at once, all of them in one forward pass a step; requests join
 * and leave at any step. Owns its sequences, not the model, which it takes for one step at a time.
 * Safe for all threads.
 */
public final class Engine implements AutoCloseable {
  /** Of a long line, so many for each seat are asked in a step whether their time has come. */
  private static final int ASKED = 4;

  private final Model model;
  private final Capacity capacity;
  private final int longest;
  private final Tally tally = new Tally();
  private final Thread thread;
  private final Object lock = new Object();
  private final NavigableSet<Place> waiting = new TreeSet<>(); // guarded by lock
  private long came; // guarded by lock
  private int inside; // waiting or in the making; guarded by lock
  private boolean closing; // guarded by lock
  private Optional<Rehearsal> rehearsal = Optional.empty(); // guarded by lock

  private final Seats seats; // the engine's thread's

  private Engine(Model model, Capacity capacity, LongSupplier nanos) {
    this.model = Objects.requireNonNull(model, "model");
    this.capacity = Objects.requireNonNull(capacity, "capacity");
    this.longest = Seats.longest(model);
    this.seats = new Seats(model, capacity, tally, nanos);
    this.thread = Thread.ofPlatform().name("weft-engine").daemon().unstarted(this::run);
  }

  /** Starts an engine of {@link Capacity#standard}. */
  public static Engine start(Model model) {
    return start(model, Capacity.standard());
  }

  public static Engine start(Model model, Capacity capacity) {
    return start(model, capacity, System::nanoTime);
  }

  /** By another clock than the machine's, which steps are timed with. */
  static Engine start(Model model, Capacity capacity, LongSupplier nanos) {
    Engine engine = new Engine(model, capacity, nanos);
    engine.thread.start();
    return engine;
  }

  /**
   * Queues a request; one that cannot fit the model is refused here, with the reason, and one that
   * the queue has no place for by a {@link BusyException}.
   */
  public Ticket submit(Request request) {
    return submit(List.of(Objects.requireNonNull(request, "request"))).getFirst();
  }

  /**
   * Queues requests for several replies to one prompt, all or none. The prompt is read once, and
   * all begin with the same logits: what a seed draws does not depend on which of them came first.
   */
  public List<Ticket> submit(List<Request> requests) {
    requireAlike(requests);
    List<Ticket> tickets =
        requests.stream().map(each -> new Ticket(each, this::requireOtherThread)).toList();
    var siblings = new Siblings(tickets.size());
    synchronized (lock) {
      if (closing) {
        throw new GenerateException("the engine is closed and takes no more requests");
      }
      if (inside + tickets.size() - 1 - capacity.parallel() >= capacity.queue()) {
        tally.refused();
        throw new BusyException(
            inside - capacity.parallel(), capacity.queue(), tally.retryAfter(capacity.parallel()));
      }
      for (Ticket ticket : tickets) {
        inside++;
        waiting.add(new Place(ticket, came++, siblings));
        tally.submitted();
      }
      lock.notifyAll();
    }
    return tickets;
  }

  private void requireAlike(List<Request> requests) {
    if (requests.isEmpty()) throw new GenerateException("no request was given to the engine");
    Request first = requests.getFirst();
    for (Request each : requests) {
      each.requireFits(model);
      requireRoom(each);
      boolean isAlike =
          Arrays.equals(each.prompt(), first.prompt())
              && each.isolation().equals(first.isolation())
              && each.priority() == first.priority();
      if (!isAlike) {
        throw new GenerateException(
            "requests that are submitted together have one prompt, one priority and one isolation"
                + " key; submit others by themselves");
      }
    }
  }

  /**
   * Once it is taken, a request waits for memory as long as it must: so one that waits in vain is
   * not.
   */
  private void requireRoom(Request request) {
    int tokens = request.prompt().length;
    if (tokens > longest) {
      throw new StepRefusedException(
          "a text of %d tokens needs %d bytes for its keys and values, but all texts together may take %d bytes, which hold %d tokens; allow more (--memory) or shorten the text"
              .formatted(tokens, model.bytesFor(tokens), model.memory().budget(), longest),
          List.of());
    }
  }

  /**
   * Runs steps of a few sizes that nobody waits for, for so long at most, and waits for that: what
   * would be compiled and learned while the first replies are written is then there. Requests that
   * come meanwhile go first.
   */
  public void rehearse(Duration most) {
    requireOtherThread();
    Rehearsal fresh;
    synchronized (lock) {
      if (closing) throw new GenerateException("the engine is closed and rehearses no more");
      fresh = rehearsal.orElseGet(() -> new Rehearsal(most));
      rehearsal = Optional.of(fresh);
      lock.notifyAll();
    }
    fresh.await();
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
        step();
      }
      seats.forEach(place -> place.ticket().cancel());
      seats.settle(this::end);
      seats.close();
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
      while (waiting.isEmpty() && seats.isEmpty() && rehearsal.isEmpty() && !closing) {
        try {
          lock.wait();
        } catch (InterruptedException ignored) {
          // Only close() ends this thread: an interrupt is a stray one of some listener.
        }
      }
      return !closing;
    }
  }

  /** Seats who can be and runs one forward pass for all, while the model is the engine's. */
  private void step() {
    try (var _ = model.claim()) {
      seat();
      if (seats.isEmpty()) rehearse();
      else seats.step();
      synchronized (lock) {
        waiting.addAll(seats.takeParked());
      }
      seats.settle(this::end);
    } catch (GenerateException closed) {
      endRehearsal(each -> each.fail(closed));
      waitingNow().forEach(place -> fail(leaveWaiting(place), closed));
      seats.forEach(place -> place.turn().fail(closed));
      seats.settle(this::end);
    }
  }

  /** One pass that nobody waits for. */
  private void rehearse() {
    Optional<Rehearsal> next;
    synchronized (lock) {
      next = rehearsal;
    }
    if (next.map(seats::rehearse).orElse(false)) endRehearsal(_ -> {});
  }

  private void endRehearsal(Consumer<Rehearsal> end) {
    synchronized (lock) {
      rehearsal.ifPresent(end);
      rehearsal = Optional.empty();
    }
  }

  /**
   * Those who wait, in their order, while there are seats. Who waits for memory is passed by
   * nobody; who waits for what another is about to feed is.
   */
  private void seat() {
    List<Place> all = waitingNow();
    all.stream().filter(place -> place.ticket().isCancelled()).forEach(p -> end(leaveWaiting(p)));
    for (Place place : all.subList(0, Math.min(all.size(), ASKED * capacity.parallel()))) {
      if (seats.isFull()) return;
      if (place.ticket().isCancelled()) continue;
      try {
        switch (seats.seat(place)) {
          case SEATED -> leaveWaiting(place);
          case AWAITS_ANOTHER -> {}
          case AWAITS_MEMORY -> {
            return;
          }
        }
      } catch (Throwable foreign) {
        fail(leaveWaiting(place), Batch.wrap("the turn could not begin", foreign));
      }
    }
  }

  private List<Place> waitingNow() {
    synchronized (lock) {
      return List.copyOf(waiting);
    }
  }

  private Place leaveWaiting(Place place) {
    synchronized (lock) {
      waiting.remove(place);
    }
    return place;
  }

  /** Answers one who waits or sits no more: cancelled, or done. */
  private void end(Place place) {
    try {
      boolean hasBegun = place.hasTurn() && place.turn().isDone();
      Reply reply = hasBegun ? place.turn().reply() : place.ticket().unstarted();
      tally.ended(reply);
      isOut(place);
      place.ticket().complete(reply);
    } catch (GenerateException error) {
      fail(place, error);
    }
  }

  private void fail(Place place, GenerateException error) {
    if (place.hasTurn()) place.turn().fail(error);
    tally.failed();
    isOut(place);
    place.ticket().fail(error);
  }

  /** One that came is gone, before its caller knows: who asks again at once finds the place. */
  private void isOut(Place place) {
    if (!place.hasBegun()) place.siblings().left();
    synchronized (lock) {
      inside--;
    }
  }

  /** Leaves nobody waiting for a thread that is gone. */
  private void leave(GenerateException end) {
    synchronized (lock) {
      closing = true;
    }
    endRehearsal(Rehearsal::leave);
    for (Place place : waitingNow()) {
      place.ticket().cancel();
      end(leaveWaiting(place));
    }
    seats.forEach(place -> fail(place, end));
  }
}
