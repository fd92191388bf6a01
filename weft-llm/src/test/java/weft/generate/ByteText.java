package weft.generate;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Tokens are bytes of UTF-8; a character comes out with its last byte. */
final class ByteText implements TextStream {
  private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
  private int missing;

  @Override
  public String add(int token) {
    pending.write(token);
    missing =
        missing > 0 ? missing - 1 : token >= 0xF0 ? 3 : token >= 0xE0 ? 2 : token >= 0xC0 ? 1 : 0;
    return missing > 0 ? "" : flush();
  }

  @Override
  public String flush() {
    String text = pending.toString(StandardCharsets.UTF_8);
    pending.reset();
    return text;
  }

  static int[] bytes(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    int[] tokens = new int[utf8.length];
    for (int i = 0; i < utf8.length; i++) {
      tokens[i] = utf8[i] & 0xFF;
    }
    return tokens;
  }
}
