package weft.chat;

import java.util.BitSet;
import weft.generate.Mask;
import weft.text.tokenizer.Tokenizer;

/**
 * Keeps a model that writes JSON from going on with white space for ever, which every schema
 * allows: between two marks there may be two blanks, or two new lines and an indentation. For one
 * reply, on one thread.
 */
public final class SpareSpace implements Mask {
  private static final int BLANKS = 2;
  private static final int LINES = 2;
  private static final int INDENTATION = 40;

  private final Mask mask;
  private final Tokenizer tokenizer;
  private final BitSet blank;
  private int blanks;
  private int lines;
  private boolean isText;
  private boolean isEscaped;

  /** {@code blank} are the tokens that are white space alone. */
  public SpareSpace(Mask mask, Tokenizer tokenizer, BitSet blank) {
    this.mask = mask;
    this.tokenizer = tokenizer;
    this.blank = blank;
  }

  /** The tokens of a vocabulary that are white space alone. */
  public static BitSet blank(Tokenizer tokenizer) {
    var blank = new BitSet();
    for (int id = 0; id < tokenizer.vocabularySize(); id++) {
      if (tokenizer.has(id) && !tokenizer.isSpecial(id) && isBlank(tokenizer.bytes(id))) {
        blank.set(id);
      }
    }
    return blank;
  }

  private static boolean isBlank(byte[] bytes) {
    for (byte value : bytes) {
      if (value != ' ' && value != '\t' && value != '\n' && value != '\r') return false;
    }
    return bytes.length > 0;
  }

  @Override
  public void apply(float[] logits) {
    mask.apply(logits);
    if (isText || !isEnough() || !hasOther(logits)) return;
    for (int id = blank.nextSetBit(0);
        id >= 0 && id < logits.length;
        id = blank.nextSetBit(id + 1)) {
      logits[id] = Float.NEGATIVE_INFINITY;
    }
  }

  private boolean isEnough() {
    return lines == 0 ? blanks >= BLANKS : lines > LINES || blanks >= INDENTATION;
  }

  private boolean hasOther(float[] logits) {
    for (int id = 0; id < logits.length; id++) {
      if (logits[id] != Float.NEGATIVE_INFINITY && !blank.get(id)) return true;
    }
    return false;
  }

  @Override
  public int[] forced() {
    return mask.forced();
  }

  @Override
  public void chosen(int token) {
    mask.chosen(token);
    if (!tokenizer.has(token) || tokenizer.isSpecial(token)) return;
    for (byte value : tokenizer.bytes(token)) read(value);
  }

  private void read(byte value) {
    if (isText) {
      if (value == '"' && !isEscaped) isText = false;
      isEscaped = value == '\\' && !isEscaped;
      return;
    }
    switch (value) {
      case '\n' -> {
        lines++;
        blanks = 0;
      }
      case ' ', '\t', '\r' -> blanks++;
      default -> {
        lines = 0;
        blanks = 0;
        isText = value == '"';
      }
    }
  }
}
