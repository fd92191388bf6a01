package weft.bench.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Whole models by their config.json: its numbers and names decide what is made of weights that have
 * the tensors of many families at once. What loads computes as the reference does.
 */
final class FolderTarget implements Target {
  private static final int WIDTH = 32;
  private static final int HEAD = 16;
  private static final int HEADS = 2;
  private static final int VOCABULARY = 48;
  private static final int EXPERTS = 4;
  private static final int LAYERS = 2;

  private static final String CONFIG =
      """
      {"model_type": "%s", "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 1,
       "head_dim": 16, "intermediate_size": 32, "vocab_size": 48, "max_position_embeddings": 64, "rms_norm_eps": 1e-05,
       "rope_theta": 10000.0, "tie_word_embeddings": false, "hidden_act": "%s"%s}""";

  private static final JsonMutation JSON =
      new JsonMutation(
          new TextMutation(
              List.of(
                  "model_type",
                  "llama",
                  "mistral",
                  "qwen2",
                  "qwen3",
                  "qwen3_moe",
                  "gemma",
                  "gemma2",
                  "gemma3_text",
                  "olmo2",
                  "smollm3",
                  "qwen3_next",
                  "text_config",
                  "hidden_size",
                  "num_hidden_layers",
                  "num_attention_heads",
                  "num_key_value_heads",
                  "head_dim",
                  "intermediate_size",
                  "vocab_size",
                  "max_position_embeddings",
                  "rms_norm_eps",
                  "rope_theta",
                  "rope_scaling",
                  "rope_parameters",
                  "rope_type",
                  "linear",
                  "llama3",
                  "yarn",
                  "dynamic",
                  "longrope",
                  "factor",
                  "low_freq_factor",
                  "high_freq_factor",
                  "original_max_position_embeddings",
                  "attention_factor",
                  "beta_fast",
                  "beta_slow",
                  "mscale",
                  "partial_rotary_factor",
                  "sliding_window",
                  "use_sliding_window",
                  "max_window_layers",
                  "layer_types",
                  "full_attention",
                  "sliding_attention",
                  "linear_attention",
                  "sliding_window_pattern",
                  "attention_bias",
                  "mlp_bias",
                  "tie_word_embeddings",
                  "hidden_act",
                  "hidden_activation",
                  "silu",
                  "gelu_pytorch_tanh",
                  "gelu",
                  "query_pre_attn_scalar",
                  "attn_logit_softcapping",
                  "final_logit_softcapping",
                  "num_experts",
                  "num_experts_per_tok",
                  "moe_intermediate_size",
                  "norm_topk_prob",
                  "decoder_sparse_step",
                  "mlp_only_layers",
                  "no_rope_layers",
                  "no_rope_layer_interval",
                  "rope_local_base_freq")));

  private boolean isReady;

  @Override
  public String name() {
    return "folder";
  }

  @Override
  public List<byte[]> seeds() {
    return Stream.of(
            CONFIG.formatted("llama", "silu", ""),
            CONFIG.formatted(
                "llama",
                "silu",
                ", \"rope_scaling\": {\"rope_type\": \"llama3\", \"factor\": 8.0, \"low_freq_factor\": 1.0,"
                    + " \"high_freq_factor\": 4.0, \"original_max_position_embeddings\": 32}"),
            CONFIG.formatted(
                "mistral",
                "silu",
                ", \"sliding_window\": 4, \"rope_scaling\": {\"type\": \"linear\", \"factor\": 2}"),
            CONFIG.formatted("qwen2", "silu", ", \"use_sliding_window\": false"),
            CONFIG.formatted(
                "qwen3",
                "silu",
                ", \"layer_types\": [\"full_attention\", \"sliding_attention\"], \"sliding_window\": 4,"
                    + " \"use_sliding_window\": true, \"rope_scaling\": {\"rope_type\": \"yarn\", \"factor\": 4.0}"),
            CONFIG.formatted(
                "qwen3_moe",
                "silu",
                ", \"num_experts\": 4, \"num_experts_per_tok\": 2, \"moe_intermediate_size\": 16,"
                    + " \"norm_topk_prob\": true, \"decoder_sparse_step\": 1, \"mlp_only_layers\": []"),
            CONFIG.formatted(
                "gemma2",
                "gelu_pytorch_tanh",
                ", \"query_pre_attn_scalar\": 16, \"sliding_window\": 4, \"attn_logit_softcapping\": 50.0,"
                    + " \"final_logit_softcapping\": 30.0, \"hidden_activation\": \"gelu_pytorch_tanh\""),
            CONFIG.formatted(
                "gemma3_text",
                "gelu_pytorch_tanh",
                ", \"query_pre_attn_scalar\": 16, \"sliding_window\": 4, \"rope_local_base_freq\": 10000.0,"
                    + " \"sliding_window_pattern\": 2, \"hidden_activation\": \"gelu_pytorch_tanh\""),
            CONFIG.formatted(
                "smollm3", "silu", ", \"no_rope_layers\": [1, 0], \"no_rope_layer_interval\": 2"))
        .map(text -> text.getBytes(StandardCharsets.UTF_8))
        .toList();
  }

  @Override
  public byte[] mutate(byte[] input, byte[] other, Draw draw) {
    return JSON.mutate(input, other, draw);
  }

  @Override
  public void run(byte[] input) {
    var folder = Scratch.file("folder");
    prepare(folder);
    Scratch.write("folder/config.json", input);
    StepTarget.agree(folder, StepTarget.mostWorkers(input));
  }

  private void prepare(Path folder) {
    if (isReady) return;
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(folder + " cannot be made", e);
    }
    Scratch.write("folder/model.safetensors", weights());
    isReady = true;
  }

  /** Every tensor that one of the families asks for, under the names that they share. */
  private static byte[] weights() {
    var shapes = new LinkedHashMap<String, List<Integer>>();
    shapes.put("model.embed_tokens.weight", List.of(VOCABULARY, WIDTH));
    shapes.put("lm_head.weight", List.of(VOCABULARY, WIDTH));
    shapes.put("model.norm.weight", List.of(WIDTH));
    for (int layer = 0; layer < LAYERS; layer++) layer("model.layers." + layer + ".", shapes);
    var entries = new ArrayList<String>();
    int end = 0;
    for (var entry : shapes.entrySet()) {
      int size = Float.BYTES * entry.getValue().stream().reduce(1, (a, b) -> a * b);
      entries.add(
          "\"%s\":{\"dtype\":\"F32\",\"shape\":%s,\"data_offsets\":[%d,%d]}"
              .formatted(entry.getKey(), entry.getValue(), end, end + size));
      end += size;
    }
    var header = entries.stream().collect(Collectors.joining(",", "{", "}"));
    byte[] file = SafetensorsTarget.file(header, end);
    var data = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).position(file.length - end);
    var random = new SplittableRandom(1);
    while (data.hasRemaining()) data.putFloat((float) random.nextGaussian() * 0.1f);
    return file;
  }

  private static void layer(String prefix, Map<String, List<Integer>> shapes) {
    for (var norm : List.of("input", "post_attention", "pre_feedforward", "post_feedforward")) {
      shapes.put(prefix + norm + "_layernorm.weight", List.of(WIDTH));
    }
    for (var projection : List.of("q", "k", "v")) {
      int rows = projection.equals("q") ? HEADS * HEAD : HEAD;
      shapes.put(prefix + "self_attn." + projection + "_proj.weight", List.of(rows, WIDTH));
      shapes.put(prefix + "self_attn." + projection + "_proj.bias", List.of(rows));
    }
    shapes.put(prefix + "self_attn.o_proj.weight", List.of(WIDTH, HEADS * HEAD));
    shapes.put(prefix + "self_attn.q_norm.weight", List.of(HEAD));
    shapes.put(prefix + "self_attn.k_norm.weight", List.of(HEAD));
    feedForward(prefix + "mlp.", WIDTH, shapes);
    shapes.put(prefix + "mlp.gate.weight", List.of(EXPERTS, WIDTH));
    for (int expert = 0; expert < EXPERTS; expert++) {
      feedForward(prefix + "mlp.experts." + expert + ".", HEAD, shapes);
    }
  }

  private static void feedForward(String prefix, int width, Map<String, List<Integer>> shapes) {
    shapes.put(prefix + "gate_proj.weight", List.of(width, WIDTH));
    shapes.put(prefix + "up_proj.weight", List.of(width, WIDTH));
    shapes.put(prefix + "down_proj.weight", List.of(WIDTH, width));
  }

  @Override
  public boolean declares(RuntimeException failure) {
    return StepTarget.isDeclared(failure);
  }

  @Override
  public long mostAllocated() {
    return 512L << 20;
  }
}
