package weft.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ThinkingTest {
  private static String shown(String prompt, String reply, int pieceLength) {
    var out = new StringBuilder();
    var thinking =
        Thinking.after(
            prompt,
            ThoughtTags.USUAL,
            fragment ->
                out.append(
                    fragment instanceof Fragment.Said
                        ? fragment.text()
                        : fragment.text().toUpperCase(Locale.ROOT)));
    for (int i = 0; i < reply.length(); i += pieceLength) {
      thinking.add(reply.substring(i, Math.min(reply.length(), i + pieceLength)));
    }
    thinking.end();
    return out.toString();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 100})
  void thoughtsAreToldApartHoweverTheTextIsCut(int pieceLength) {
    assertThat(shown("prompt", "a<think>b < c</think>d <thin e", pieceLength))
        .isEqualTo("a<THINK>B < C</THINK>d <thin e");
  }

  @Test
  void aPromptMayOpenTheThought() {
    assertThat(shown("<|assistant|><think>\n", "b</think>\nc", 2)).isEqualTo("B</THINK>\nc");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 100})
  void whiteSpaceNextToATagBelongsToIt(int pieceLength) {
    var reply = "<think>\n\nb c\n</think>\n\nd e\n";
    var said = new StringBuilder();
    var thought = new StringBuilder();
    var all = new StringBuilder();
    var thinking =
        Thinking.after(
            "",
            ThoughtTags.USUAL,
            fragment -> {
              all.append(fragment.text());
              if (fragment instanceof Fragment.Said) said.append(fragment.text());
              if (fragment instanceof Fragment.Thought) thought.append(fragment.text());
            });
    for (int i = 0; i < reply.length(); i += pieceLength) {
      thinking.add(reply.substring(i, Math.min(reply.length(), i + pieceLength)));
    }
    thinking.end();
    assertThat(said).hasToString("d e\n");
    assertThat(thought).hasToString("b c");
    assertThat(all).hasToString(reply);
  }

  @Test
  void aThoughtThatIsCutOffIsShown() {
    assertThat(shown("", "<think>b</th", 3)).isEqualTo("<THINK>B</TH");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "<think>b</think>", "a<think>\nb\n</think>\n\nc", "a<think>b"})
  void partsAreTheTextAgain(String text) {
    assertThat(Message.assistant(text).content()).isEqualTo(text);
  }
}
