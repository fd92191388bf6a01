package weft.text.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.text.Normalizer.Form;
import java.util.Base64;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import weft.text.TextException;
import weft.text.regex.Effort;

class NormalizerTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"type\": \"NFC\"}; 'e\u0301ﬁ'; éﬁ",
        "{\"type\": \"NFD\"}; é; e\u0301",
        "{\"type\": \"NFKC\"}; 'e\u0301ﬁ'; éfi",
        "{\"type\": \"NFKD\"}; éﬁ; e\u0301fi",
        "{\"type\": \"Lowercase\"}; ÀΣİ; àσi\u0307",
        "{\"type\": \"Strip\"}; '\u3000 a b '; a b",
        "{\"type\": \"Strip\", \"strip_left\": false, \"strip_right\": true}; ' a '; ' a'",
        "{\"type\": \"StripAccents\"}; 'e\u0301a'; ea",
        "{\"type\": \"Nmt\"}; 'a\u0001b\u200Bc'; ab c",
        "{\"type\": \"ByteLevel\"}; 'é a'; Ã©Ġa",
        "{\"type\": \"Prepend\", \"prepend\": \"_\"}; a; _a",
        "{\"type\": \"Prepend\", \"prepend\": \"_\"}; ''; ''",
        "{\"type\": \"Replace\", \"pattern\": {\"String\": \".\"}, \"content\": \"!\"}; a.b; a!b",
        "{\"type\": \"Replace\", \"pattern\": {\"Regex\": \" {2,}\"}, \"content\": \"_\"}; 'a   b c'; a_b c",
        "{\"type\": \"Precompiled\", \"precompiled_charsmap\": \"\"}; a; a",
        "{\"type\": \"Sequence\", \"normalizers\": []}; a; a"
      })
  void normalizersDoWhatTheyAreCalled(String json, String text, String expected) {
    var normalizer = NormalizerJson.read(Optional.of(SmallTokenizers.part(json)));
    assertThat(normalizer.normalize(text, Effort.on(text.length()))).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void longRunsOfMarksHaveTheSameForm(Form form) {
    int[] marks = {
      0x301, 0x323, 0x345, 0x344, 0x5B0, 0x64B, 0x93C, 0x94D, 0x903, 0x302A, 0xF73, 0x1D165, 0x20DD,
      0x3099, 0x334, 0xFE0F
    };
    var random = new Random(2);
    for (int i = 0; i < 50; i++) {
      var text = new StringBuilder("a");
      for (int j = 0; j < 130 + random.nextInt(100); j++) {
        text.appendCodePoint(marks[random.nextInt(marks.length)]);
      }
      text.append("b\u0301");
      assertThat(new Normalizer.Unicode(form).normalize(text.toString(), Effort.on(text.length())))
          .isEqualTo(java.text.Normalizer.normalize(text, form));
    }
  }

  @Test
  void marksInTheWrongOrderTakeNoTime() {
    String text = "a" + "\u0301".repeat(100_000) + "\u0323".repeat(100_000);
    assertThat(new Normalizer.Unicode(Form.NFC).normalize(text, Effort.on(text.length())))
        .startsWith("ạ\u0323")
        .endsWith("\u0301");
  }

  @Test
  void compiledRulesReplaceCharactersAndClusters() {
    var normalizer =
        NormalizerJson.read(
            Optional.of(
                SmallTokenizers.part(
                    "{\"type\": \"Precompiled\", \"precompiled_charsmap\": \"%s\"}"
                        .formatted(Base64.getEncoder().encodeToString(charsMap('A', "xyz"))))));
    assertThat(normalizer.normalize("bAéA", Effort.on(4))).isEqualTo("bxyzéxyz");
  }

  @Test
  void damagedRulesAreRefused() {
    assertThatThrownBy(() -> CharsMap.of(new byte[3])).isInstanceOf(TextException.class);
    assertThatThrownBy(() -> CharsMap.of(new byte[] {99, 0, 0, 0, 1}))
        .isInstanceOf(TextException.class);
    byte[] small = charsMap('A', "x");
    small[4 + 4 * 'A' + 2] = (byte) 0xFF;
    assertThatThrownBy(() -> CharsMap.of(small).apply("A")).isInstanceOf(TextException.class);
  }

  /**
   * A map with one rule for one ASCII character: the root leads to the character's unit, and that
   * to a leaf with offset 0.
   */
  private static byte[] charsMap(char c, String replacement) {
    int units = 256;
    var blob =
        ByteBuffer.allocate(4 + 4 * units + replacement.length() + 1)
            .order(ByteOrder.LITTLE_ENDIAN);
    blob.putInt(4 * units);
    blob.putInt(4 + 4 * c, 1 << 10 | 1 << 8 | c);
    blob.put(4 + 4 * units, replacement.getBytes());
    return blob.array();
  }
}
