package weft.generate;

/**
 * How much an {@link Engine} does at once. A value, made by {@link #standard} and the {@code with}
 * methods; safe for all threads.
 */
public final class Capacity {
  private static final Capacity STANDARD = new Capacity(16, 512, 65_536, 1);

  private final int parallel;
  private final int budget;
  private final int queue;
  private final double cacheShare;

  private Capacity(int parallel, int budget, int queue, double cacheShare) {
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
    if (queue < 0) {
      throw new GenerateException("a queue holds 0 or more requests, got " + queue);
    }
    if (!(cacheShare >= 0 && cacheShare <= 1)) {
      throw new GenerateException("the cache's share is between 0 and 1, got " + cacheShare);
    }
    this.parallel = parallel;
    this.budget = budget;
    this.queue = queue;
    this.cacheShare = cacheShare;
  }

  /**
   * Up to 16 replies at once, 512 tokens of their prompts in a forward pass, 65,536 requests that
   * wait, texts kept in all memory that nobody needs.
   */
  public static Capacity standard() {
    return STANDARD;
  }

  /** Replies in the making at most; further requests wait their turn. */
  public Capacity withParallel(int replies) {
    return new Capacity(replies, budget, queue, cacheShare);
  }

  /** Tokens fed in one forward pass at most, by all replies together. */
  public Capacity withBudget(int tokens) {
    return new Capacity(parallel, tokens, queue, cacheShare);
  }

  /** Requests that wait beside those in the making; one more is a {@link BusyException}. */
  public Capacity withQueue(int requests) {
    return new Capacity(parallel, budget, requests, cacheShare);
  }

  /**
   * Texts are kept, for prompts that begin like them, while all texts together take no more than
   * this share of the memory there is for them (of half of what the JVM may take, where that is not
   * bounded). The last one stays however much it takes; 0 keeps none.
   */
  public Capacity withCacheShare(double share) {
    return new Capacity(parallel, budget, queue, share);
  }

  public int parallel() {
    return parallel;
  }

  public int budget() {
    return budget;
  }

  public int queue() {
    return queue;
  }

  public double cacheShare() {
    return cacheShare;
  }
}
