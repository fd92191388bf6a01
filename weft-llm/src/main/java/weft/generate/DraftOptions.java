package weft.generate;

import java.util.Objects;

/** How a model guesses ahead. A value, safe for all threads. */
public final class DraftOptions {
  /** A head foretells every token there is. */
  public static final int ALL_TOKENS = Integer.MAX_VALUE;

  /** A guess that is less likely than this is wrong so often that it costs more than it brings. */
  private static final double USUAL_CHANCE = 0.3;

  private final double leastChance;
  private final int vocabulary;

  private DraftOptions(double leastChance, int vocabulary) {
    if (!(leastChance >= 0 && leastChance <= 1)) {
      throw new GenerateException(
          "a guess has a least chance from 0 to 1, got " + leastChance + "; 0 stops at none");
    }
    if (vocabulary < 1) {
      throw new GenerateException(
          "a head foretells 1 or more tokens, got a vocabulary of " + vocabulary);
    }
    this.leastChance = leastChance;
    this.vocabulary = vocabulary;
  }

  public static DraftOptions standard() {
    return new DraftOptions(USUAL_CHANCE, ALL_TOKENS);
  }

  /** It stops before a token that it gives less of a chance than this, among its best few. */
  public double leastChance() {
    return leastChance;
  }

  /**
   * A head foretells the first so many tokens alone, for which tokenizers that were trained by
   * frequency have most use: a part of the projection is read then, and a token beyond, such as one
   * that ends a text, is never guessed. A model of its own foretells all of its tokens.
   */
  public int vocabulary() {
    return vocabulary;
  }

  /** The same with another chance below which it stops; 0 never stops. */
  public DraftOptions withLeastChance(double chance) {
    return new DraftOptions(chance, vocabulary);
  }

  /** The same with a head that foretells the first so many tokens alone. */
  public DraftOptions withVocabulary(int tokens) {
    return new DraftOptions(leastChance, tokens);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DraftOptions o
        && leastChance == o.leastChance
        && vocabulary == o.vocabulary;
  }

  @Override
  public int hashCode() {
    return Objects.hash(leastChance, vocabulary);
  }
}
