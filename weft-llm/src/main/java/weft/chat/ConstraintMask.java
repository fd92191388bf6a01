package weft.chat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
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

  /** How far back a tokenizer looks to cut what follows. */
  private static final int CONTEXT_TOKENS = 8;

  private final Matcher matcher;
  private final Vocabulary vocabulary;
  private final Tokenizer tokenizer;
  private final SpecialText special;

  /** The last tokens of the text. */
  private final Deque<byte[]> said = new ArrayDeque<>();

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
    said.add(vocabulary.text(token));
    if (said.size() > CONTEXT_TOKENS) said.remove();
  }

  /**
   * Takes over what was said before it masks, if it may begin a text; otherwise nothing changes.
   */
  boolean follow(byte[] bytes) {
    if (!matcher.accept(bytes)) return false;
    said.add(bytes.clone());
    if (said.size() > CONTEXT_TOKENS) said.remove();
    return true;
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

  /** The tokens of the settled bytes, as they are cut behind what was said. */
  private int[] cut(byte[] bytes, int settled) {
    int[] all = behindSaid(bytes);
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
    // Where a beginning is cut otherwise once more follows, nothing is certain.
    return Arrays.equals(behindSaid(Arrays.copyOf(bytes, end)), within) ? within : NOTHING;
  }

  /** The tokens of bytes behind the text; none where the tokenizer would not cut there. */
  private int[] behindSaid(byte[] bytes) {
    var text = new ByteArrayOutputStream();
    said.forEach(text::writeBytes);
    int start = text.size();
    text.writeBytes(bytes);
    byte[] whole = text.toByteArray();
    int[] all = encode(whole);
    // Where a text begins, some tokenizers put a space before it.
    int end = isPadded(all, whole) ? -1 : 0;
    for (int count = 0; count < all.length; count++) {
      if (end == start) return Arrays.copyOfRange(all, count, all.length);
      end += vocabulary.text(all[count]).length;
      if (end > start) break;
    }
    return NOTHING;
  }

  private boolean isPadded(int[] tokens, byte[] text) {
    return tokens.length > 0
        && text[0] != ' '
        && vocabulary.text(tokens[0]).length > 0
        && vocabulary.text(tokens[0])[0] == ' ';
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
