package weft.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weft.format.Checkpoint;
import weft.format.GgufWriter;
import weft.format.NumberArray;
import weft.format.ValueType;

class StopTokensTest {
  private static final Path WEIGHTS =
      Path.of("src/test/resources/golden/hf/llama-untied/model.safetensors");

  @TempDir Path folder;

  private static Set<Integer> stops(Path path) {
    try (var checkpoint = Checkpoint.open(path)) {
      return StopTokens.of(checkpoint);
    }
  }

  @Test
  void aGgufFileNamesSomeAndItsVocabularyOthers() {
    var file = folder.resolve("vocabulary.gguf");
    new GgufWriter()
        .string("general.architecture", "llama")
        .strings(
            "tokenizer.ggml.tokens",
            List.of("<|im_end|>", "<|im_end|> ", "<|eot_id|>", "</s>", "x"))
        // Only a control token ends a turn, not a word that looks like one.
        .numbers("tokenizer.ggml.token_type", NumberArray.of(ValueType.INT32, 3, 3, 1, 3, 1))
        .uint32("tokenizer.ggml.eos_token_id", 3)
        .uint32("tokenizer.ggml.eot_token_id", 4)
        .uint32("tokenizer.ggml.eom_token_id", 0xFFFFFFFFL)
        .write(file);
    assertThat(stops(file)).containsExactlyInAnyOrder(0, 3, 4);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"eos_token_id\":5}                       | {\"eos_token_id\":[6,7]} | 6 7",
        "{\"eos_token_id\":5}                       | {\"top_k\":3}            | 5",
        "{\"text_config\":{\"eos_token_id\":8}}     | {}                       | 8",
        "{\"model_type\":\"llama\"}                 | {\"eos_token_id\":null}  | ''",
      })
  void aFolderSaysItForGeneratingOrForTraining(String config, String generation, String expected)
      throws IOException {
    Files.writeString(folder.resolve("config.json"), config);
    Files.writeString(folder.resolve("generation_config.json"), generation);
    Files.copy(WEIGHTS, folder.resolve("model.safetensors"));
    var ids =
        expected.isBlank()
            ? List.<Integer>of()
            : List.of(expected.split(" ")).stream().map(Integer::valueOf).toList();
    assertThat(stops(folder)).containsExactlyInAnyOrderElementsOf(ids);
  }
}
