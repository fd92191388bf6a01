package weft.serve.ask;

import java.util.List;
import weft.generate.Piece;
import weft.text.tokenizer.SpecialTokens;
import weft.text.tokenizer.Tokenizer;

/**
 * A token, how likely it was (NaN for the first of a text), and the likeliest that could have come
 * instead.
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

  /** Of a token of a model. */
  static Chance of(Piece piece, Tokenizer tokenizer) {
    var alternatives =
        piece.alternatives().stream()
            .map(other -> of(other.token(), other.logprob(), List.of(), tokenizer))
            .toList();
    return of(piece.token(), piece.logprob(), alternatives, tokenizer);
  }

  private static Chance of(
      int token, double logprob, List<Chance> alternatives, Tokenizer tokenizer) {
    if (!tokenizer.has(token)) return new Chance(token, "", new byte[0], logprob, alternatives);
    var text = tokenizer.decode(new int[] {token}, SpecialTokens.SHOWN);
    return new Chance(token, text, tokenizer.bytes(token), logprob, alternatives);
  }

  @Override
  public byte[] bytes() {
    return bytes.clone();
  }
}
