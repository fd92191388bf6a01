package weft.text.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import weft.text.tokenizer.Utf8Assembler.Broken;

class Utf8AssemblerTest {
  /**
   * The well-formed sequences of more than one byte: Unicode's table 3-7, as lowest and highest of
   * each byte.
   */
  private static final int[][] SEQUENCES = {
    {0xC2, 0xDF, 0x80, 0xBF},
    {0xE0, 0xE0, 0xA0, 0xBF, 0x80, 0xBF},
    {0xE1, 0xEC, 0x80, 0xBF, 0x80, 0xBF},
    {0xED, 0xED, 0x80, 0x9F, 0x80, 0xBF},
    {0xEE, 0xEF, 0x80, 0xBF, 0x80, 0xBF},
    {0xF0, 0xF0, 0x90, 0xBF, 0x80, 0xBF, 0x80, 0xBF},
    {0xF1, 0xF3, 0x80, 0xBF, 0x80, 0xBF, 0x80, 0xBF},
    {0xF4, 0xF4, 0x80, 0x8F, 0x80, 0xBF, 0x80, 0xBF}
  };

  @Test
  void theLongestStartOfASequenceIsReplacedOnce() {
    var random = new Random(1);
    int[] likely = {
      0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF1,
      0xF4, 0xF5, 0xFF
    };
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = new byte[random.nextInt(10)];
      for (int j = 0; j < bytes.length; j++) {
        bytes[j] = (byte) likely[random.nextInt(likely.length)];
      }
      assertThat(assemble(bytes, Broken.PER_SEQUENCE)).isEqualTo(byTable(bytes));
    }
  }

  private static String byTable(byte[] bytes) {
    var text = new StringBuilder();
    for (int i = 0; i < bytes.length; ) {
      int length = 1;
      boolean whole = bytes[i] >= 0;
      for (int[] sequence : SEQUENCES) {
        int matched = 0;
        while (2 * matched < sequence.length
            && i + matched < bytes.length
            && (bytes[i + matched] & 0xFF) >= sequence[2 * matched]
            && (bytes[i + matched] & 0xFF) <= sequence[2 * matched + 1]) {
          matched++;
        }
        length = Math.max(length, matched);
        whole |= 2 * matched == sequence.length;
      }
      text.append(whole ? new String(bytes, i, length, StandardCharsets.UTF_8) : "\uFFFD");
      i += length;
    }
    return text.toString();
  }

  @Test
  void everyCharacterComesThrough() {
    var text = new StringBuilder();
    for (int c = 0; c <= Character.MAX_CODE_POINT; c += c < 0x3000 ? 1 : 97) {
      if (c < 0xD800 || c > 0xDFFF) {
        text.appendCodePoint(c);
      }
    }
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    assertThat(assemble(bytes, Broken.PER_BYTE)).isEqualTo(text.toString());
  }

  @Test
  void eachBrokenByteCanCount() {
    byte[] bytes = {(byte) 0xF0, (byte) 0x9F, (byte) 0x98, 'a', (byte) 0xE4, (byte) 0xBD};
    assertThat(assemble(bytes, Broken.PER_BYTE)).isEqualTo("\uFFFD\uFFFD\uFFFDa\uFFFD\uFFFD");
    assertThat(assemble(bytes, Broken.PER_SEQUENCE)).isEqualTo("\uFFFDa\uFFFD");
  }

  private static String assemble(byte[] bytes, Broken broken) {
    var assembler = new Utf8Assembler(broken);
    var out = new StringBuilder();
    for (byte b : bytes) {
      assembler.add(b & 0xFF, out);
    }
    assembler.flush(out);
    return out.toString();
  }
}
