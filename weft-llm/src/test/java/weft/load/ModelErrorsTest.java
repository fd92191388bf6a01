package weft.load;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weft.models.Families;
import weft.net.ModelException;

/** A checkpoint that does not fit its family says so in a sentence. */
class ModelErrorsTest {
  @TempDir Path folder;

  /** A golden with one line of its configuration changed. */
  private Path changed(String family, String from, String to) throws Exception {
    var golden = new Golden(family);
    var model = golden.transformers().resolve("model.safetensors");
    Files.copy(model, folder.resolve("model.safetensors"));
    var config = Files.readString(golden.transformers().resolve("config.json"));
    if (!config.contains(from)) throw new AssertionError(family + " does not say " + from);
    Files.writeString(folder.resolve("config.json"), config.replace(from, to));
    return folder;
  }

  private static void load(Path file) {
    LanguageModel.load(file, LoadOptions.standard().withBackend("reference")).close();
  }

  @Test
  void anUnknownArchitectureListsTheKnownOnes() throws Exception {
    var file = changed("qwen2", "\"model_type\": \"qwen2\"", "\"model_type\": \"marvin\"");
    var thrown = assertThatThrownBy(() -> load(file)).isInstanceOf(LoadException.class);
    thrown.hasMessageContaining("marvin");
    for (var family : Families.all()) thrown.hasMessageContaining(family.name());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // A missing tensor: its name.
        "gemma | \"num_hidden_layers\": 3 | \"num_hidden_layers\": 4"
            + "| no tensor model.layers.3.input_layernorm.weight",
        // A tensor of another shape: its name, what was found, what was expected.
        "gemma | \"intermediate_size\": 160 | \"intermediate_size\": 128"
            + "| model.layers.0.mlp.gate_proj.weight has shape [160, 64], but the model's other numbers ask for [128, 64]",
        "qwen3-moe | \"moe_intermediate_size\": 48 | \"moe_intermediate_size\": 0"
            + "| moe_intermediate_size is 0, expected a whole number from 1 to 1048576",
        "qwen3-moe | \"num_local_experts\": 8 | \"num_local_experts\": 9"
            + "| model.layers.0.mlp.gate.weight has shape [8, 64]",
        // An option: its key as the file spells it, the value met, what weft takes.
        "qwen2 | \"hidden_act\": \"silu\" | \"hidden_act\": \"xielu\""
            + "| hidden_act is xielu, expected silu, gelu, gelu_pytorch_tanh or relu",
        "gemma2 | \"hidden_activation\": \"gelu_pytorch_tanh\" | \"hidden_activation\": \"mish\""
            + "| hidden_activation is mish, expected silu",
        "qwen3 | \"rope_type\": \"default\" | \"rope_type\": \"spiral\""
            + "| rope_parameters.rope_type is spiral, expected default, linear, dynamic, llama3, yarn or longrope",
        "gemma3-text | \"rope_type\": \"default\" | \"rope_type\": \"spiral\""
            + "| rope_parameters.full_attention.rope_type is spiral",
        "gemma2 | \"full_attention\" | \"chunked_attention\""
            + "| layer_types is chunked_attention at layer 1, expected full_attention or sliding_attention",
        "gemma3-text | \"use_bidirectional_attention\": false | \"use_bidirectional_attention\": true"
            + "| use_bidirectional_attention is true, expected false",
        "qwen3-moe | \"num_experts_per_tok\": 2 | \"num_experts_per_tok\": 11"
            + "| num_experts_per_tok is 11, expected 1 to the 8 of num_local_experts",
        // A number that cannot be, or none.
        "qwen2 | \"num_key_value_heads\": 2 | \"num_key_value_heads\": 3"
            + "| num_attention_heads is 4, expected a multiple of the 3 of num_key_value_heads",
        "qwen2 | \"num_attention_heads\": 4 | \"num_attention_heads\": 0"
            + "| num_attention_heads is 0",
        "qwen2 | \"hidden_size\": 64 | \"hidden_size\": \"wide\""
            + "| hidden_size is wide, expected a whole number",
        "qwen2 | \"hidden_size\" | \"hidden_syze\" | does not say hidden_size",
        "qwen35-text | \"linear_num_key_heads\": 2 | \"linear_num_key_heads\": 3"
            + "| linear_num_value_heads is 4, expected a multiple of the 3 of linear_num_key_heads",
        "qwen3 | \"head_dim\": 32 | \"head_dim\": 33 | rope turns pairs",
      })
  void whatDoesNotFitIsNamed(String family, String from, String to, String message)
      throws Exception {
    var file = changed(family, from, to);
    assertThatThrownBy(() -> load(file))
        .isInstanceOf(ModelException.class)
        .hasMessageContaining(message);
  }
}
