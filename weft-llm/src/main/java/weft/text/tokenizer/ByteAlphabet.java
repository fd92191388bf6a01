package weft.text.tokenizer;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import weft.text.TextException;

/**
 * The 256 printable characters that byte-level vocabularies write bytes with (GPT-2's encoder.py
 * gives the rule).
 */
final class ByteAlphabet {
  private static final int MAX_ARRAY = Integer.MAX_VALUE - 8;
  private static final char[] CHARACTERS = new char[256];
  private static final short[] BYTES = new short[512];

  static {
    Arrays.fill(BYTES, (short) -1);
    int moved = 256;
    for (int b = 0; b < 256; b++) {
      boolean printable =
          (b >= '!' && b <= '~') || (b >= 0xA1 && b <= 0xAC) || (b >= 0xAE && b <= 0xFF);
      CHARACTERS[b] = (char) (printable ? b : moved++);
      BYTES[CHARACTERS[b]] = (short) b;
    }
  }

  private ByteAlphabet() {}

  static char character(int value) {
    return CHARACTERS[value];
  }

  /** The byte a character stands for, or -1. */
  static int value(char c) {
    return c < BYTES.length ? BYTES[c] : -1;
  }

  /**
   * Writes the UTF-8 bytes of {@code text[start, end)} in the alphabet, and returns the position
   * after them.
   */
  static int write(char[] text, int start, int end, char[] target, int position) {
    int out = position;
    for (int i = start; i < end; i++) {
      int c = text[i];
      if (c < 0x80) {
        target[out++] = CHARACTERS[c];
        continue;
      }
      if (c < 0x800) {
        target[out++] = CHARACTERS[0xC0 | c >> 6];
      } else {
        if (Character.isHighSurrogate((char) c) && i + 1 < end) {
          c = Character.toCodePoint((char) c, text[++i]);
          target[out++] = CHARACTERS[0xF0 | c >> 18];
          target[out++] = CHARACTERS[0x80 | c >> 12 & 0x3F];
        } else {
          target[out++] = CHARACTERS[0xE0 | c >> 12];
        }
        target[out++] = CHARACTERS[0x80 | c >> 6 & 0x3F];
      }
      target[out++] = CHARACTERS[0x80 | c & 0x3F];
    }
    return out;
  }

  /** An array that the bytes of so many characters fit into. */
  static char[] room(int length) {
    long room = 3L * length;
    if (room > MAX_ARRAY) {
      throw new TextException(
          "a text of " + length + " characters is too long to encode at once; cut it into parts");
    }
    return new char[(int) room];
  }

  /** A text with its UTF-8 bytes written in the alphabet. */
  static String write(String text) {
    char[] target = room(text.length());
    return new String(target, 0, write(text.toCharArray(), 0, text.length(), target, 0));
  }

  /**
   * The bytes of a token; one with a character outside the alphabet stands for its own UTF-8 bytes.
   */
  static byte[] read(String token) {
    byte[] bytes = new byte[token.length()];
    for (int i = 0; i < bytes.length; i++) {
      int value = value(token.charAt(i));
      if (value < 0) {
        return token.getBytes(StandardCharsets.UTF_8);
      }
      bytes[i] = (byte) value;
    }
    return bytes;
  }
}
