package weft.chat;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Set;
import weft.constrain.ConstrainException;
import weft.constrain.Constraint;
import weft.constrain.Matcher;
import weft.constrain.Vocabulary;
import weft.generate.Mask;
import weft.text.tokenizer.SpecialText;
import weft.text.tokenizer.Surround;
import weft.text.tokenizer.Tokenizer;

/**
 * Keeps a reply within a {@link Constraint}: it ends where its text is complete, and what must come
 * is cut into tokens as the tokenizer would. For one reply, on one thread.
 */
public final class ConstraintMask implements Mask {
  private static final int[] NOTHING = {};

  private final Matcher matcher;
  private final Vocabulary vocabulary;
  private final Tokenizer tokenizer;
  private final SpecialText special;

  private ConstraintMask(Constraint constraint, Tokenizer tokenizer, SpecialText special) {
    this.matcher = constraint.matcher();
    this.vocabulary = constraint.vocabulary();
    this.tokenizer = tokenizer;
    this.special = special;
  }

  /** At the beginning of a reply. */
  public static ConstraintMask of(Constraint constraint, Tokenizer tokenizer) {
    return of(constraint, tokenizer, SpecialText.ESCAPED);
  }

  /** As {@link #of(Constraint, Tokenizer)}, where control tokens may be part of the text. */
  static ConstraintMask of(Constraint constraint, Tokenizer tokenizer, SpecialText special) {
    return new ConstraintMask(constraint, tokenizer, special);
  }

  /**
   * A tokenizer's tokens as constraints see them: control tokens are never part of a text.
   *
   * @param ends the tokens that end a reply
   */
  public static Vocabulary vocabulary(Tokenizer tokenizer, Set<Integer> ends) {
    return vocabulary(tokenizer, ends, Set.of());
  }

  /** As {@link #vocabulary(Tokenizer, Set)}, with some control tokens that are. */
  static Vocabulary vocabulary(Tokenizer tokenizer, Set<Integer> ends, Set<Integer> controls) {
    var texts = new ArrayList<byte[]>();
    for (int id = 0; id < tokenizer.vocabularySize(); id++) {
      boolean isText = tokenizer.has(id) && (!tokenizer.isSpecial(id) || controls.contains(id));
      texts.add(isText ? tokenizer.bytes(id) : new byte[0]);
    }
    for (int end : ends) {
      // Models may have more rows than their tokenizers have tokens.
      while (texts.size() <= end) texts.add(new byte[0]);
    }
    return Vocabulary.of(texts, ends);
  }

  @Override
  public void apply(float[] logits) {
    var allowed = matcher.allowed();
    if (allowed.isEmpty()) {
      throw new ConstrainException(
          matcher.isOver()
              ? "the text is complete, but the model has no token that ends one"
              : "no token of the vocabulary can go on with the text; its bytes are not all there");
    }
    allowed.forbidOthers(logits);
  }

  @Override
  public void chosen(int token) {
    if (!matcher.accept(token)) {
      throw new ConstrainException("token " + token + " came, which the mask forbids");
    }
  }

  /** Whether the text may end here. */
  boolean isComplete() {
    return matcher.isComplete();
  }

  @Override
  public int[] forced() {
    byte[] bytes = matcher.forced();
    if (bytes.length == 0) return NOTHING;
    int settled = matcher.settled(bytes);
    return settled == 0 ? NOTHING : cut(bytes, settled);
  }

  /** The tokens that lie within the settled bytes, if the tokenizer gives these very bytes back. */
  private int[] cut(byte[] bytes, int settled) {
    int[] all = encode(bytes);
    int count = 0;
    int end = 0;
    for (; count < all.length; count++) {
      byte[] text = vocabulary.text(all[count]);
      boolean isThere =
          text.length > 0
              && end + text.length <= settled
              && Arrays.equals(text, 0, text.length, bytes, end, end + text.length);
      if (!isThere) break;
      end += text.length;
    }
    int[] within = Arrays.copyOf(all, count);
    // Some tokenizers cut a beginning otherwise once more follows: then nothing is certain.
    return Arrays.equals(encode(Arrays.copyOf(bytes, end)), within) ? within : NOTHING;
  }

  private int[] encode(byte[] bytes) {
    try {
      var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return tokenizer.encode(text, Surround.OMITTED, special);
    } catch (CharacterCodingException half) {
      return NOTHING;
    }
  }
}
