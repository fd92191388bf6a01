package weft.cli.chat;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WordWrapTest {
  private static String wrapped(int width, String text, int pieceLength) {
    var out = new StringBuilder();
    var wrap = new WordWrap(width, c -> c > 0x2E80 ? 2 : 1, out::append);
    for (int i = 0; i < text.length(); i += pieceLength) {
      wrap.add(text.substring(i, Math.min(text.length(), i + pieceLength)));
    }
    wrap.end();
    return out.toString();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 100})
  void linesBreakBetweenWordsHoweverTheTextIsCut(int pieceLength) {
    assertThat(wrapped(10, "one two three four\n  five sixes", pieceLength))
        .isEqualTo("one two\nthree four\n  five\nsixes");
  }

  @Test
  void aWordLongerThanALineIsBroken() {
    assertThat(wrapped(4, "ab abcdefgh ij", 1)).isEqualTo("ab\nabcd\nefgh\nij");
    assertThat(wrapped(4, "ab abcdefgh ij", 9)).isEqualTo("ab\nabcd\nefgh\nij");
  }

  @Test
  void wideScriptsBreakAnywhere() {
    assertThat(wrapped(6, "漢字漢字漢", 1)).isEqualTo("漢字漢\n字漢");
  }

  @Test
  void withoutAWidthNothingIsChanged() {
    assertThat(wrapped(0, "one  two\n three ", 3)).isEqualTo("one  two\n three ");
  }
}
