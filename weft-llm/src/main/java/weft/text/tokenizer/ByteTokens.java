package weft.text.tokenizer;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * The tokens {@code <0x00>} to {@code <0xFF>}, which spell out what a vocabulary has no token for.
 */
final class ByteTokens {
  private final int[] ids;

  private ByteTokens(int[] ids) {
    this.ids = ids;
  }

  static ByteTokens of(TokenIndex index) {
    int[] ids = new int[256];
    for (int b = 0; b < 256; b++) {
      ids[b] = index.find(name(b));
    }
    return new ByteTokens(ids);
  }

  static String name(int value) {
    return "<0x" + HexFormat.of().withUpperCase().toHexDigits((byte) value) + ">";
  }

  /** The byte that a token spells out, or -1 for all other tokens. */
  static int value(String token) {
    if (token.length() != 6 || !token.startsWith("<0x") || token.charAt(5) != '>') {
      return -1;
    }
    int high = hex(token.charAt(3));
    int low = hex(token.charAt(4));
    return high < 0 || low < 0 ? -1 : high << 4 | low;
  }

  private static int hex(char c) {
    return c < 128 ? Character.digit(c, 16) : -1;
  }

  /**
   * Appends the ids of all bytes of a text; false, and nothing appended, where one of them has no
   * token.
   */
  boolean encode(char[] text, int start, int end, IntList out) {
    byte[] bytes = new String(text, start, end - start).getBytes(StandardCharsets.UTF_8);
    for (byte b : bytes) {
      if (ids[b & 0xFF] < 0) {
        return false;
      }
    }
    for (byte b : bytes) {
      out.add(ids[b & 0xFF]);
    }
    return true;
  }
}
