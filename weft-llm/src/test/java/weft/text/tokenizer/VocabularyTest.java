package weft.text.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import weft.text.TextException;

final class VocabularyTest {
  private static final String LONGEST = "€".repeat(TextPages.LONGEST);

  @Test
  void agreesWithPlainMapsOnTextsAndIdsThatComeAgain() {
    var random = new SplittableRandom(7);
    var vocabulary = new Vocabulary(10);
    var ids = new HashMap<String, Integer>();
    var texts = new HashMap<Integer, String>();
    for (int i = 0; i < 60_000; i++) {
      String text = text(random);
      int id = random.nextInt(20_000);
      vocabulary.put(text, id);
      ids.put(text, id);
      texts.put(id, text);
    }
    assertThat(vocabulary.count()).isEqualTo(ids.size());
    for (int id = 0; id < vocabulary.size(); id++) {
      String text = texts.getOrDefault(id, "");
      assertThat(vocabulary.token(id)).isEqualTo(text);
      assertThat(vocabulary.contains(id)).isEqualTo(!text.isEmpty());
      assertThat(vocabulary.isEmpty(id)).isEqualTo(text.isEmpty());
      assertThat(vocabulary.isOneCharacter(id)).isEqualTo(text.length() == 1);
      if (!text.isEmpty()) {
        assertThat(vocabulary.first(id)).isEqualTo(text.charAt(0));
        assertThat(vocabulary.last(id)).isEqualTo(text.charAt(text.length() - 1));
      }
    }
    ids.forEach((text, id) -> assertThat(vocabulary.find(text)).isEqualTo(id));
    for (int i = 0; i < 10_000; i++) {
      String text = text(random);
      char[] framed = ("a" + text + "b").toCharArray();
      assertThat(vocabulary.index().find(framed, 1, framed.length - 1))
          .isEqualTo(ids.getOrDefault(text, TokenIndex.ABSENT));
    }
  }

  /**
   * Short, so that they come again; of one byte, two and three, of surrogate pairs and halves of
   * them.
   */
  private static String text(SplittableRandom random) {
    var text = new StringBuilder();
    for (int length = random.nextInt(5); length > 0; length--) {
      switch (random.nextInt(4)) {
        case 0 -> text.append((char) random.nextInt(0x900));
        case 1 -> text.append((char) ('a' + random.nextInt(6)));
        case 2 -> text.appendCodePoint(0x1F600 + random.nextInt(8));
        default -> text.append((char) (0xD7FE + random.nextInt(4)));
      }
    }
    return text.toString();
  }

  @Test
  void textsOfAnyLengthKeepApartAcrossPages() {
    var vocabulary = new Vocabulary(4);
    for (int id = 0; id < 8; id++) {
      vocabulary.put(LONGEST.substring(id), id);
    }
    // Three bytes a character, and five before each text: they end with the page.
    int fill = ((1 << 17) - 2 * 5) / 3 - LONGEST.length();
    vocabulary.put("ÿ€".repeat(fill / 2), 8);
    vocabulary.put("", 9);
    vocabulary.put("z", 10);
    for (int id = 0; id < 8; id++) {
      assertThat(vocabulary.token(id)).isEqualTo(LONGEST.substring(id));
      assertThat(vocabulary.find(LONGEST.substring(id))).isEqualTo(id);
    }
    assertThat(vocabulary.find("ÿ€".repeat(fill / 2))).isEqualTo(8);
    assertThat(vocabulary.find("")).isEqualTo(9);
    assertThat(vocabulary.contains(9)).isFalse();
    assertThat(vocabulary.token(10)).isEqualTo("z");
    assertThat(vocabulary.first(10)).isEqualTo('z');
  }

  @Test
  void highIdsComeBackWhole() {
    var vocabulary = new Vocabulary(1);
    vocabulary.put("a", Vocabulary.MAX_IDS - 1);
    assertThat(vocabulary.find("a")).isEqualTo(Vocabulary.MAX_IDS - 1);
    assertThat(vocabulary.token(Vocabulary.MAX_IDS - 1)).isEqualTo("a");
    assertThat(vocabulary.token(5)).isEmpty();
    assertThat(vocabulary.contains(5)).isFalse();
  }

  @Test
  void idsAndTextsOutOfRangeAreRefused() {
    var vocabulary = new Vocabulary(1);
    assertThatThrownBy(() -> vocabulary.put("a", Vocabulary.MAX_IDS))
        .isInstanceOf(TextException.class)
        .hasMessageContaining("4194303");
    assertThatThrownBy(() -> vocabulary.put(LONGEST + "x", 3))
        .isInstanceOf(TextException.class)
        .hasMessageContaining("token 3 has 21846 characters");
  }
}
