package weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class LogitsCommandTest {
  @Test
  void printsTheLastRowWhateverTheFormat() {
    var folder = Cli.run("logits", Cli.golden("hf/llama-untied"), "--tokens", "1,2,3", "--json");
    var gguf =
        Cli.run("logits", Cli.golden("gguf/llama-untied-f32.gguf"), "--tokens", "1,2,3", "--json");
    assertThat(folder.json().propertyNames()).containsExactly("logits");
    var expected = folder.json().get("logits");
    var got = gguf.json().get("logits");
    assertThat(got).hasSameSizeAs(expected).hasSize(259);
    for (int i = 0; i < got.size(); i++) {
      assertThat(got.get(i).floatValue())
          .isCloseTo(expected.get(i).floatValue(), Offset.offset(2e-4f));
    }
  }

  @Test
  void aTokenBeyondTheVocabularyIsAClearError() {
    var result = Cli.run("logits", Cli.golden("hf/llama-untied"), "--tokens", "259");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains("259").contains("vocabulary ends at 258");
  }
}
