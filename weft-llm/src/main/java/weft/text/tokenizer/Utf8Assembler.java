package weft.text.tokenizer;

/**
 * Puts bytes together to characters as they come: only whole characters leave it, and no byte is
 * lost.
 */
final class Utf8Assembler {
  private static final char REPLACEMENT = '\uFFFD';

  /** What stands for a broken sequence. */
  enum Broken {
    /**
     * One replacement character for each longest prefix of a valid sequence, as Rust and the WHATWG
     * do.
     */
    PER_SEQUENCE,
    /** One replacement character for each byte. */
    PER_BYTE
  }

  private final Broken broken;
  private int codePoint;
  private int length;
  private int missing;

  Utf8Assembler(Broken broken) {
    this.broken = broken;
  }

  /** Takes a byte and appends what it completes. */
  void add(int b, StringBuilder out) {
    if (missing > 0) {
      if (b >= lowest() && b <= highest()) {
        codePoint = codePoint << 6 | b & 0x3F;
        length++;
        if (--missing == 0) {
          out.appendCodePoint(codePoint);
          length = 0;
        }
        return;
      }
      flush(out);
    }
    if (b < 0x80) {
      out.append((char) b);
    } else if (b >= 0xC2 && b <= 0xF4) {
      missing = b < 0xE0 ? 1 : b < 0xF0 ? 2 : 3;
      codePoint = b & (0x3F >> missing);
      length = 1;
    } else {
      out.append(REPLACEMENT);
    }
  }

  /** Appends what stands for an unfinished character. */
  void flush(StringBuilder out) {
    if (missing > 0) {
      out.repeat(REPLACEMENT, broken == Broken.PER_BYTE ? length : 1);
      missing = 0;
      length = 0;
    }
  }

  /**
   * The bounds of the second byte are narrower after E0, ED, F0 and F4: no overlong forms, no
   * surrogates, nothing above 10FFFF.
   */
  private int lowest() {
    boolean second = length == 1;
    return second && missing == 2 && codePoint == 0x0
        ? 0xA0
        : second && missing == 3 && codePoint == 0x0 ? 0x90 : 0x80;
  }

  private int highest() {
    boolean second = length == 1;
    return second && missing == 2 && codePoint == 0xD
        ? 0x9F
        : second && missing == 3 && codePoint == 0x4 ? 0x8F : 0xBF;
  }
}
