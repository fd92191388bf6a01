package weft.generate;

import java.util.List;
import java.util.Set;

/**
 * What ends a reply besides the model's own end of the text, which a {@link Request} keeps apart. A
 * value, made by the {@code with} methods from {@link #NONE}; safe for all threads.
 */
public final class Stops {
  /** No limit but the context. */
  public static final Stops NONE = new Stops(Integer.MAX_VALUE, 0, Set.of(), List.of());

  private final int maxTokens;
  private final int minTokens;
  private final Set<Integer> tokens;
  private final List<String> strings;

  private Stops(int maxTokens, int minTokens, Set<Integer> tokens, List<String> strings) {
    if (maxTokens < 1) {
      throw new GenerateException("max tokens must be at least 1, got " + maxTokens);
    }
    if (minTokens < 0 || minTokens > maxTokens) {
      throw new GenerateException(
          "min tokens must be between 0 and max tokens, " + maxTokens + ", got " + minTokens);
    }
    this.maxTokens = maxTokens;
    this.minTokens = minTokens;
    this.tokens = Set.copyOf(tokens);
    this.strings = List.copyOf(strings);
    if (this.strings.contains("")) {
      throw new GenerateException("a stop string must not be empty: it would end every reply");
    }
  }

  /** The most tokens to generate; the end of the context ends a reply, too. */
  public Stops withMaxTokens(int max) {
    return new Stops(max, minTokens, tokens, strings);
  }

  /** Until there are this many tokens, none that would end the reply can be chosen. */
  public Stops withMinTokens(int min) {
    return new Stops(maxTokens, min, tokens, strings);
  }

  /** Ids that end the reply; the id stays in the reply's tokens, its text does not. */
  public Stops withTokens(Set<Integer> ids) {
    return new Stops(maxTokens, minTokens, ids, strings);
  }

  /**
   * Texts that end the reply wherever they appear, across tokens too, and are cut off; the one that
   * is complete first counts, the longest of those that end together.
   */
  public Stops withStrings(List<String> texts) {
    return new Stops(maxTokens, minTokens, tokens, texts);
  }

  public int maxTokens() {
    return maxTokens;
  }

  public int minTokens() {
    return minTokens;
  }

  public Set<Integer> tokens() {
    return tokens;
  }

  public List<String> strings() {
    return strings;
  }
}
