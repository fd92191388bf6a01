package weft.chat;

import java.util.Set;
import java.util.function.IntPredicate;
import weft.generate.Album;
import weft.generate.TextStream;
import weft.text.tokenizer.SpecialTokens;
import weft.text.tokenizer.StreamDecoder;
import weft.text.tokenizer.Tokenizer;

/** A reply's tokens as text, control tokens left out; for one reply, on one thread. */
public final class TokenText implements TextStream {
  private final StreamDecoder decoder;
  private final IntPredicate isHidden;

  private TokenText(StreamDecoder decoder, IntPredicate isHidden) {
    this.decoder = decoder;
    this.isHidden = isHidden;
  }

  /** A text of its own, as a chat's reply is. */
  public static TokenText begin(Tokenizer tokenizer) {
    return begin(tokenizer, Set.of());
  }

  /** A text of its own, in which these control tokens are shown. */
  static TokenText begin(Tokenizer tokenizer, Set<Integer> shown) {
    return new TokenText(
        tokenizer.decodeStream(SpecialTokens.SHOWN),
        token -> tokenizer.isSpecial(token) && !shown.contains(token));
  }

  /**
   * A text that goes on from a prompt: some tokenizers drop a space where a text begins, and it
   * begins with the prompt.
   */
  public static TokenText after(Tokenizer tokenizer, int[] prompt) {
    var text = begin(tokenizer);
    for (int token : prompt) if (!Album.isRow(token)) text.add(token);
    return text;
  }

  @Override
  public String add(int token) {
    return isHidden.test(token) ? "" : decoder.next(token);
  }

  @Override
  public String flush() {
    return decoder.end();
  }
}
