package weft.generate;

import java.util.List;
import java.util.Objects;

/** One generated token and the text that became certain with it. A value, safe for all threads. */
public final class Piece {
  private final int token;
  private final String text;
  private final double logprob;
  private final List<Alternative> alternatives;

  /** A token that could have come instead. */
  public record Alternative(int token, double logprob) {}

  Piece(int token, String text, double logprob, List<Alternative> alternatives) {
    this.token = token;
    this.text = Objects.requireNonNull(text, "text");
    this.logprob = logprob;
    this.alternatives = List.copyOf(alternatives);
  }

  public int token() {
    return token;
  }

  /** Empty while a character is not whole or while it may be the beginning of a stop string. */
  public String text() {
    return text;
  }

  /**
   * The natural logarithm of the token's probability under the unmodified logits, before penalties,
   * mask and temperature; NaN unless the request asked for it.
   */
  public double logprob() {
    return logprob;
  }

  /** The likeliest tokens under the same distribution, best first. */
  public List<Alternative> alternatives() {
    return alternatives;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Piece that
        && token == that.token
        && text.equals(that.text)
        && Double.compare(logprob, that.logprob) == 0
        && alternatives.equals(that.alternatives);
  }

  @Override
  public int hashCode() {
    return Objects.hash(token, text, logprob, alternatives);
  }

  @Override
  public String toString() {
    return token + " " + text;
  }
}
