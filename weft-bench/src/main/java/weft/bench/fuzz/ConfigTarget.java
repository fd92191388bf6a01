package weft.bench.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import weft.format.Checkpoint;
import weft.format.FormatException;
import weft.load.LanguageModel;

/**
 * The JSON files of a safetensors folder: config.json, generation_config.json and the index, with a
 * zero character between them. They are files, so this is slower than the others.
 */
final class ConfigTarget implements Target {
  private static final String SEPARATOR = "\0";
  private static final List<String> NAMES =
      List.of("config.json", "generation_config.json", "model.safetensors.index.json");

  private static final JsonMutation JSON =
      new JsonMutation(
          new TextMutation(
              List.of(
                  "model_type",
                  "llama",
                  "qwen3",
                  "gemma3",
                  "text_config",
                  "hidden_size",
                  "num_hidden_layers",
                  "num_attention_heads",
                  "rope_scaling",
                  "rope_parameters",
                  "layer_types",
                  "full_attention",
                  "sliding_attention",
                  "eos_token_id",
                  "weight_map",
                  "metadata",
                  "total_size",
                  "NaN",
                  "Infinity",
                  "model.safetensors",
                  "../model.safetensors",
                  "model-00001-of-00002.safetensors",
                  ".",
                  "a.b")));

  private byte[] weights = new byte[0];

  @Override
  public String name() {
    return "config";
  }

  @Override
  public List<byte[]> seeds() {
    return Stream.of(
            """
            {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 64, "num_hidden_layers": 2,
             "rope_scaling": {"rope_type": "llama3", "factor": 8.0}, "layer_types": ["full_attention", "sliding_attention"],
             "tie_word_embeddings": true, "rms_norm_eps": 1e-05, "eos_token_id": [1, 2], "mixed": [1, "a", null, [2.5]]}
            \0{"eos_token_id": 2, "temperature": 0.6}
            \0{"metadata": {"total_size": 4}, "weight_map": {"a": "model.safetensors"}}""",
            "{\"text_config\": {\"model_type\": \"qwen3\", \"x\": {\"y\": [[1], [2]]}}}\0{}\0{\"weight_map\": {\"a\": \"model.safetensors\"}}")
        .map(text -> text.getBytes(StandardCharsets.UTF_8))
        .toList();
  }

  @Override
  public byte[] mutate(byte[] input, byte[] other, Draw draw) {
    return JSON.mutate(input, other, draw);
  }

  @Override
  public void run(byte[] input) {
    prepare();
    var parts = new String(input, StandardCharsets.UTF_8).split(SEPARATOR, -1);
    for (int i = 0; i < NAMES.size(); i++) {
      var text = i < parts.length ? parts[i] : "{}";
      Scratch.write(NAMES.get(i), text.getBytes(StandardCharsets.UTF_8));
    }
    try (var checkpoint = Checkpoint.open(Scratch.file(""))) {
      checkpoint.tensors().values().forEach(GgufTarget::touch);
      LanguageModel.familyOf(checkpoint);
    }
  }

  private void prepare() {
    if (weights.length > 0) return;
    weights =
        SafetensorsTarget.file(
            "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4);
    Scratch.write("model.safetensors", weights);
  }

  @Override
  public boolean declares(RuntimeException failure) {
    return failure instanceof FormatException;
  }

  @Override
  public long mostAllocated() {
    return 16L << 20;
  }
}
