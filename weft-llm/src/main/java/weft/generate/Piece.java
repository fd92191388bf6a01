package weft.generate;

import java.util.List;

/**
 * One generated token and the text that became certain with it: empty while a character is not
 * whole or while the text may be the beginning of a stop string.
 *
 * @param logprob the natural logarithm of the token's probability under the unmodified logits,
 *     before penalties, mask and temperature; NaN unless the request asked for it
 * @param alternatives the likeliest tokens under the same distribution, best first
 */
public record Piece(int token, String text, double logprob, List<Alternative> alternatives) {

  /** A token that could have come instead. */
  public record Alternative(int token, double logprob) {}

  public Piece {
    alternatives = List.copyOf(alternatives);
  }
}
