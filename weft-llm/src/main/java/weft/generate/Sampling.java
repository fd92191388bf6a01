package weft.generate;

import java.util.Objects;

/**
 * How the next token is chosen. The steps run in this order, each on what the one before left:
 *
 * <ol>
 *   <li>{@code penalties} change the logits;
 *   <li>the turn's {@link Mask} forbids tokens;
 *   <li>with {@code temperature} 0 the greatest logit wins and nothing below matters; otherwise the
 *       logits are divided by the temperature;
 *   <li>{@code topK}: the k likeliest stay;
 *   <li>{@code topP}: of these, the fewest likeliest whose probabilities sum to at least p;
 *   <li>{@code minP}: of these, those at least minP times as likely as the likeliest;
 *   <li>{@code typical}: of these, the fewest whose information content is nearest to the entropy
 *       and whose probabilities sum to at least this (Meister et al., "Locally Typical Sampling");
 *   <li>one is drawn by its share of the probability that is left.
 * </ol>
 *
 * Equal logits are ranked by id, the lowest first. One number is drawn for each token, the n-th of
 * a generator that {@code seed} fixes (SplitMix64), so chance is the same with or without
 * speculation and in any batch; greedy choice draws nothing.
 *
 * <p>The same logits give the same token. The same steps have the same logits, bit for bit, each
 * time they run on a device, and on the CPU with any number of threads (but for long windows that
 * more threads share than there are key heads). Beside other replies, over a draft, or from a
 * prompt whose beginning is known already, the steps are others and a device may round sums
 * otherwise, the CPU by 1e-4 of the largest logit, or by 8e-2 where it multiplies bytes: the tokens
 * are the same unless two are that near to each other, or a drawn number that near to the border
 * between them.
 *
 * <p>A value, made by the {@code with} methods; safe for all threads.
 */
public final class Sampling {
  public static final Sampling GREEDY = new Sampling(0, 0, 1, 0, 1, Penalties.NONE, 0);

  private final double temperature;
  private final int topK;
  private final double topP;
  private final double minP;
  private final double typical;
  private final Penalties penalties;
  private final long seed;

  Sampling(
      double temperature,
      int topK,
      double topP,
      double minP,
      double typical,
      Penalties penalties,
      long seed) {
    if (!(temperature >= 0 && temperature < Double.POSITIVE_INFINITY)) {
      throw new GenerateException(
          "temperature must be 0 (greedy) or a number above, got " + temperature);
    }
    if (topK < 0) {
      throw new GenerateException("top-k must be 0 (off) or a count of tokens, got " + topK);
    }
    requireShare("top-p", topP, "1 is off");
    requireShare("min-p", minP, "0 is off");
    requireShare("typical", typical, "1 is off");
    this.temperature = temperature;
    this.topK = topK;
    this.topP = topP;
    this.minP = minP;
    this.typical = typical;
    this.penalties = Objects.requireNonNull(penalties, "penalties");
    this.seed = seed;
  }

  private static void requireShare(String name, double value, String off) {
    if (!(value >= 0 && value <= 1)) {
      throw new GenerateException(name + " must be between 0 and 1 (" + off + "), got " + value);
    }
  }

  /** Drawing with common settings: temperature 0.8, top-k 40, top-p 0.95, min-p 0.05. */
  public static Sampling seeded(long seed) {
    return new Sampling(0.8, 40, 0.95, 0.05, 1, Penalties.NONE, seed);
  }

  public boolean isGreedy() {
    return temperature == 0;
  }

  public Sampling withTemperature(double value) {
    return new Sampling(value, topK, topP, minP, typical, penalties, seed);
  }

  public Sampling withTopK(int value) {
    return new Sampling(temperature, value, topP, minP, typical, penalties, seed);
  }

  public Sampling withTopP(double value) {
    return new Sampling(temperature, topK, value, minP, typical, penalties, seed);
  }

  public Sampling withMinP(double value) {
    return new Sampling(temperature, topK, topP, value, typical, penalties, seed);
  }

  public Sampling withTypical(double value) {
    return new Sampling(temperature, topK, topP, minP, value, penalties, seed);
  }

  public Sampling withPenalties(Penalties value) {
    return new Sampling(temperature, topK, topP, minP, typical, value, seed);
  }

  public Sampling withSeed(long value) {
    return new Sampling(temperature, topK, topP, minP, typical, penalties, value);
  }

  /** 0 is greedy. */
  public double temperature() {
    return temperature;
  }

  /** 0 is off. */
  public int topK() {
    return topK;
  }

  /** 1 is off. */
  public double topP() {
    return topP;
  }

  /** 0 is off. */
  public double minP() {
    return minP;
  }

  /** 1 is off. */
  public double typical() {
    return typical;
  }

  public Penalties penalties() {
    return penalties;
  }

  public long seed() {
    return seed;
  }
}
