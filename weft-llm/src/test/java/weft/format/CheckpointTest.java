package weft.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weft.quant.Encodings;
import weft.quant.StorageType;

class CheckpointTest {
  @TempDir Path folder;

  @Test
  void readsMetadataAndTensorsOfGguf() throws IOException {
    try (var checkpoint = Checkpoint.open(Goldens.GGUF_Q8_0)) {
      assertThat(checkpoint.format()).isEqualTo(Format.GGUF);
      assertThat(checkpoint.path()).isEqualTo(Goldens.GGUF_Q8_0);
      assertThat(checkpoint.fileBytes()).isEqualTo(Files.size(Goldens.GGUF_Q8_0));

      var metadata = checkpoint.metadata();
      assertThat(metadata.string("general.architecture")).contains("llama");
      assertThat(metadata.integer("llama.block_count")).hasValue(3);
      assertThat(metadata.real("llama.attention.layer_norm_rms_epsilon").getAsDouble())
          .isCloseTo(1e-5, within(1e-9));
      assertThat(metadata.strings("tokenizer.ggml.tokens").orElseThrow()).hasSize(259);

      var embedding = checkpoint.tensor("token_embd.weight").orElseThrow();
      assertThat(embedding.shape()).containsExactly(259L, 64L);
      assertThat(embedding.type()).isEqualTo(StorageType.Q8_0);
      assertThat(embedding.encoding()).isEqualTo(Encodings.Q8_0);
      assertThat(embedding.bytes().byteSize()).isEqualTo(Encodings.Q8_0.bytes(259 * 64));
    }
  }

  @Test
  void givesTheSameWeightsFromBothFormats() {
    try (var gguf = Checkpoint.open(Goldens.GGUF_F32);
        var folder = Checkpoint.open(Goldens.FOLDER)) {
      var fromGguf = gguf.tensor("token_embd.weight").orElseThrow();
      var fromFolder = folder.tensor("model.embed_tokens.weight").orElseThrow();

      assertThat(fromFolder.shape()).isEqualTo(fromGguf.shape());
      assertThat(fromFolder.bytes().mismatch(fromGguf.bytes())).isEqualTo(-1);
    }
  }

  @Test
  void flattensTheConfigurationOfAFolder() {
    try (var checkpoint = Checkpoint.open(Goldens.FOLDER)) {
      var metadata = checkpoint.metadata();
      assertThat(checkpoint.format()).isEqualTo(Format.SAFETENSORS);
      assertThat(metadata.string("model_type")).contains("llama");
      assertThat(metadata.strings("architectures")).contains(List.of("LlamaForCausalLM"));
      assertThat(metadata.bool("tie_word_embeddings")).contains(true);
      assertThat(metadata.string("rope_parameters.rope_type")).contains("llama3");
      assertThat(metadata.real("rope_parameters.factor")).isPresent();
      assertThat(metadata.has("generation_config.eos_token_id")).isTrue();
      assertThat(metadata.string("__metadata__.format")).contains("pt");
    }
  }

  @Test
  void metadataOutlivesTheCheckpointAndTensorsDoNot() {
    var checkpoint = Checkpoint.open(Goldens.GGUF_F32);
    var embedding = checkpoint.tensor("token_embd.weight").orElseThrow();
    var metadata = checkpoint.metadata();
    var tokens = List.copyOf(metadata.strings("tokenizer.ggml.tokens").orElseThrow());
    var types = metadata.integers("tokenizer.ggml.token_type").orElseThrow();

    checkpoint.close();
    checkpoint.close();

    assertThat(metadata.strings("tokenizer.ggml.tokens").orElseThrow())
        .hasSize(259)
        .isEqualTo(tokens);
    assertThat(metadata.integers("tokenizer.ggml.token_type")).contains(types);
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> embedding.bytes().get(LittleEndian.BYTE, 0));
  }

  @Test
  void aMissingFileIsNamed() {
    assertThatExceptionOfType(FormatException.class)
        .isThrownBy(() -> Checkpoint.open(folder.resolve("absent.gguf")))
        .withMessageContaining("absent.gguf does not exist");
  }
}
