package weft.text.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static weft.text.tokenizer.SmallTokenizers.plain;
import static weft.text.tokenizer.SmallTokenizers.read;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AddedTokensTest {
  @Test
  void theLeftmostAndThenTheLongestWins() {
    assertThat(split("xabcab", token("ab"), token("abc"), token("bcab")))
        .containsExactly("x", "<abc>", "<ab>");
  }

  @Test
  void strippingTakesSpacesAlong() {
    var left = new AddedToken(0, "[L]", false, true, false, false, false);
    var right = new AddedToken(1, "[R]", false, false, true, false, false);
    assertThat(split("a  [L]  b", left)).containsExactly("a", "<[L]>", "  b");
    assertThat(split("a  [R] \u3000\n b", right)).containsExactly("a  ", "<[R]>", "b");
    assertThat(split(" [R]  [L] ", left, right)).containsExactly(" ", "<[R]>", "<[L]>", " ");
  }

  @Test
  void singleWordsStandAlone() {
    var word = new AddedToken(0, "in", true, false, false, false, false);
    assertThat(split("in, inside (in) in_ éin in", word))
        .containsExactly("<in>", ", inside (", "<in>", ") in_ éin ", "<in>");
  }

  @Test
  void controlTokensAreFoundWhereTheyAreAllowed() {
    var special = AddedToken.plain(0, "<s>", true);
    var plain = AddedToken.plain(1, "<b>", false);
    var lookalike = AddedToken.plain(2, "<|fim|>", false);
    assertThat(split("<s><b><|fim|>", (start, end) -> false, special, plain, lookalike))
        .containsExactly("<s>", "<<b>>", "<|fim|>");
    assertThat(split("<s><s>", (start, end) -> start > 0, special)).containsExactly("<s>", "<<s>>");
  }

  @Test
  void normalizedTokensAreFoundInNormalizedText() {
    String members =
        """
        "normalizer": {"type": "Lowercase"},
        "added_tokens": [{"content": "Day", "normalized": true}, {"content": "DAY", "normalized": false}]""";
    Tokenizer tokenizer = read(plain(members, List.of("a", " ")));
    assertThat(tokenizer.encode("a DAY daY day", Surround.OMITTED, SpecialText.PARSED))
        .containsExactly(0, 1, 3, 1, 2, 1, 2);
  }

  private static AddedToken token(String content) {
    return AddedToken.plain(0, content, false);
  }

  private static List<String> split(String text, AddedToken... tokens) {
    return split(text, (start, end) -> true, tokens);
  }

  /** The parts of a text, tokens in angle brackets. */
  private static List<String> split(String text, AddedTokens.Guard guard, AddedToken... tokens) {
    var numbered = new ArrayList<AddedToken>();
    for (AddedToken token : tokens) {
      numbered.add(
          new AddedToken(
              numbered.size(),
              token.content(),
              token.singleWord(),
              token.stripsLeft(),
              token.stripsRight(),
              token.normalized(),
              token.special()));
    }
    var parts = new ArrayList<String>();
    new AddedTokens(numbered, content -> content)
        .split(
            text,
            guard,
            new AddedTokens.Sink() {
              @Override
              public void text(int start, int end) {
                parts.add(text.substring(start, end));
              }

              @Override
              public void token(int id) {
                parts.add("<" + numbered.get(id).content() + ">");
              }
            });
    return parts;
  }
}
