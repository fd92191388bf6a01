package weft.chat;

import weft.generate.TextStream;
import weft.text.tokenizer.SpecialTokens;
import weft.text.tokenizer.StreamDecoder;
import weft.text.tokenizer.Tokenizer;

/** A reply's tokens as text, control tokens left out; for one reply, on one thread. */
public final class TokenText implements TextStream {
  private final StreamDecoder decoder;

  private TokenText(StreamDecoder decoder) {
    this.decoder = decoder;
  }

  /** A text of its own, as a chat's reply is. */
  public static TokenText begin(Tokenizer tokenizer) {
    return new TokenText(tokenizer.decodeStream(SpecialTokens.SKIPPED));
  }

  /**
   * A text that goes on from a prompt: some tokenizers drop a space where a text begins, and it
   * begins with the prompt.
   */
  public static TokenText after(Tokenizer tokenizer, int[] prompt) {
    var text = begin(tokenizer);
    for (int token : prompt) text.decoder.next(token);
    return text;
  }

  @Override
  public String add(int token) {
    return decoder.next(token);
  }

  @Override
  public String flush() {
    return decoder.end();
  }
}
