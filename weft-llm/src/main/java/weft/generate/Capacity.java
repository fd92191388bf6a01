package weft.generate;

/**
 * How much an {@link Engine} does at once. A value, made by {@link #standard} and the {@code with}
 * methods; safe for all threads.
 */
public final class Capacity {
  private static final Capacity STANDARD = new Capacity(16, 512);

  private final int parallel;
  private final int budget;

  private Capacity(int parallel, int budget) {
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
    this.parallel = parallel;
    this.budget = budget;
  }

  /** Up to 16 replies at once, 512 tokens of their prompts in a forward pass. */
  public static Capacity standard() {
    return STANDARD;
  }

  /** Replies in the making at most; further requests wait their turn. */
  public Capacity withParallel(int replies) {
    return new Capacity(replies, budget);
  }

  /** Tokens fed in one forward pass at most, by all replies together. */
  public Capacity withBudget(int tokens) {
    return new Capacity(parallel, tokens);
  }

  public int parallel() {
    return parallel;
  }

  public int budget() {
    return budget;
  }
}
