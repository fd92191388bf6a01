package weft.generate;

/**
 * Makes one reply at a time on the calling thread, and remembers the text, so that a next prompt
 * which begins the same way costs only its new part. Owns its sequence, not the model.
 */
public final class Generator implements AutoCloseable {
  /** Tokens of a prompt fed in one forward pass. */
  public static final int DEFAULT_BUDGET = 512;

  private final Model model;
  private final Batch batch;
  private final Slots slots;
  private final Workspace workspace;
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
    cancelled = false;
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

  @Override
  public void close() {
    slots.close();
  }
}
