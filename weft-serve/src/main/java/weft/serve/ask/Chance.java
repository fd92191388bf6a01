package weft.serve.ask;

import java.util.List;

/**
 * A token, how likely it was, and the likeliest that could have come instead.
 *
 * @param text what it adds to a text; not whole characters for some
 * @param bytes the same, exactly
 */
public record Chance(
    int token, String text, byte[] bytes, double logprob, List<Chance> alternatives) {
  public Chance {
    bytes = bytes.clone();
    alternatives = List.copyOf(alternatives);
  }

  @Override
  public byte[] bytes() {
    return bytes.clone();
  }
}
