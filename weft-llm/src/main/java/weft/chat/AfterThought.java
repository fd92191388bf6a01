package weft.chat;

import java.util.Arrays;
import weft.generate.Album;
import weft.generate.Mask;
import weft.text.tokenizer.SpecialTokens;
import weft.text.tokenizer.StreamDecoder;
import weft.text.tokenizer.Tokenizer;

/**
 * A mask that begins behind a thought which the prompt has opened: thoughts have no form. For one
 * reply, on one thread.
 */
public final class AfterThought implements Mask {
  private static final String OPEN = "<think>";
  private static final String CLOSE = "</think>";

  /** Tokens of a prompt that are looked at: a tag and the white space behind it have no more. */
  private static final int LAST = 16;

  private final Mask mask;
  private final StreamDecoder decoder;
  private final StringBuilder end = new StringBuilder();
  private boolean isThought = true;

  private AfterThought(Mask mask, Tokenizer tokenizer) {
    this.mask = mask;
    this.decoder = tokenizer.decodeStream(SpecialTokens.SHOWN);
  }

  /** The mask for what follows a prompt. */
  public static Mask of(Mask mask, String prompt, Tokenizer tokenizer) {
    return prompt.stripTrailing().endsWith(OPEN) ? new AfterThought(mask, tokenizer) : mask;
  }

  /** As {@link #of(Mask, String, Tokenizer)}, for a prompt's tokens. */
  public static Mask of(Mask mask, int[] prompt, Tokenizer tokenizer) {
    int[] end =
        Arrays.stream(prompt, Math.max(0, prompt.length - LAST), prompt.length)
            .filter(token -> !Album.isRow(token))
            .toArray();
    return of(mask, tokenizer.decode(end, SpecialTokens.SHOWN), tokenizer);
  }

  @Override
  public void apply(float[] logits) {
    if (!isThought) mask.apply(logits);
  }

  @Override
  public int[] forced() {
    return isThought ? new int[0] : mask.forced();
  }

  @Override
  public void chosen(int token) {
    if (!isThought) {
      mask.chosen(token);
      return;
    }
    end.append(decoder.next(token));
    isThought = end.indexOf(CLOSE) < 0;
    end.delete(0, Math.max(0, end.length() - CLOSE.length()));
  }
}
