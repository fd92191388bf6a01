package weft.generate;

import java.util.List;
import java.util.Set;

/**
 * When a reply ends.
 *
 * @param maxTokens the most tokens to generate; the end of the context ends it too
 * @param minTokens until there are this many, stop tokens cannot be chosen
 * @param tokens ids that end the reply; the id stays in the reply's tokens, its text does not
 * @param strings texts that end the reply wherever they appear, across tokens too, and are cut off;
 *     the one that is complete first counts, the longest of those that end together
 */
public record Stops(int maxTokens, int minTokens, Set<Integer> tokens, List<String> strings) {
  /** No limit but the context. */
  public static final Stops NONE = new Stops(Integer.MAX_VALUE, 0, Set.of(), List.of());

  public Stops {
    if (maxTokens < 1) {
      throw new GenerateException("max tokens must be at least 1, got " + maxTokens);
    }
    if (minTokens < 0 || minTokens > maxTokens) {
      throw new GenerateException(
          "min tokens must be between 0 and max tokens, " + maxTokens + ", got " + minTokens);
    }
    tokens = Set.copyOf(tokens);
    strings = List.copyOf(strings);
    if (strings.contains("")) {
      throw new GenerateException("a stop string must not be empty: it would end every reply");
    }
  }

  public Stops withMaxTokens(int max) {
    return new Stops(max, minTokens, tokens, strings);
  }

  public Stops withMinTokens(int min) {
    return new Stops(maxTokens, min, tokens, strings);
  }

  public Stops withTokens(Set<Integer> ids) {
    return new Stops(maxTokens, minTokens, ids, strings);
  }

  public Stops withStrings(List<String> texts) {
    return new Stops(maxTokens, minTokens, tokens, texts);
  }

  /** The same without stop tokens: an end-of-text token then is a token like any other. */
  public Stops ignoringTokens() {
    return withTokens(Set.of());
  }
}
