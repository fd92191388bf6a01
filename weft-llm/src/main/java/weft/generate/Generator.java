package weft.generate;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Makes one reply at a time on the calling thread, and remembers the text, so that a next prompt
 * which begins the same way costs only its new part. Owns its sequence, not the model, which it
 * claims while it makes a reply: a second thread, on this or on another generator of the model, is
 * refused with the name of the first.
 */
public final class Generator implements AutoCloseable {
  /** Tokens of a prompt fed in one forward pass. */
  public static final int DEFAULT_BUDGET = 512;

  private final Model model;
  private final Batch batch;
  private final Slots slots;
  private final Workspace workspace;
  private final ReentrantLock running = new ReentrantLock();
  private volatile boolean cancelled;

  public Generator(Model model) {
    this(model, DEFAULT_BUDGET);
  }

  public Generator(Model model, int budget) {
    this.model = model;
    this.batch = new Batch(model, budget);
    this.slots = new Slots(model, 1);
    this.workspace = new Workspace(model.vocabularySize());
  }

  /** Generates until the reply ends; throws what went wrong as a {@link GenerateException}. */
  public Reply generate(Request request) {
    request.requireFits(model);
    try (var _ = model.claim()) {
      running.lock();
      try {
        cancelled = false;
        return reply(request);
      } finally {
        running.unlock();
      }
    }
  }

  private Reply reply(Request request) {
    Sequence sequence = slots.lend(request.prompt());
    boolean sound = false;
    try {
      Turn turn = new Turn(model, sequence, request, workspace, () -> cancelled);
      batch.add(turn);
      while (!turn.isDone()) {
        batch.step();
      }
      sound = !turn.hasFailed();
      return turn.reply();
    } finally {
      if (sound) {
        slots.giveBack(sequence);
      } else {
        slots.discard(sequence);
      }
    }
  }

  /** Ends the reply now being made, from any thread; without one it does nothing. */
  public void cancel() {
    cancelled = true;
  }

  /** Ends a reply that is being made on another thread, and waits for its end. */
  @Override
  public void close() {
    if (running.isHeldByCurrentThread()) {
      throw new GenerateException(
          "a generator cannot be closed by the listener of its own reply; cancel() it, or answer"
              + " STOP");
    }
    slots.refuse();
    cancel();
    running.lock();
    try {
      slots.close();
    } finally {
      running.unlock();
    }
  }
}
