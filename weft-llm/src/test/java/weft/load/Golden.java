package weft.load;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import weft.format.Checkpoint;

/** A tiny checkpoint with random weights, and what Hugging Face Transformers computes for it. */
record Golden(String group, String family) {
  Golden(String family) {
    this("hf", family);
  }

  /** Below this lead of the first token over the second, a last-bit difference may swap them. */
  private static final double CLEAR_MARGIN = 1e-3;

  /** A prompt, the tokens that follow, and by how much each led. */
  record Case(int index, int[] prompt, int[] greedy, double[] margins) {
    /** How many of the tokens no rounding can change. */
    int clearTokens() {
      int clear = 0;
      while (clear < margins.length && margins[clear] >= CLEAR_MARGIN) clear++;
      return clear;
    }
  }

  static List<Golden> all() {
    return List.of(
            "llama-untied",
            "llama32-tied-llama3rope",
            "llama-bias-mha",
            "mistral-sliding",
            "gemma",
            "gemma2",
            "gemma2-scalar24",
            "gemma3-text",
            "qwen2",
            "qwen3",
            "qwen3-untied-yarn",
            "qwen3-moe",
            "qwen3-moe-nonorm",
            "qwen3-next",
            "qwen35-text",
            "qwen35-moe-text")
        .stream()
        .map(Golden::new)
        .toList();
  }

  /** The same families with settings that the others leave at their defaults. */
  static List<Golden> options() {
    var names = folder().resolve("options").toFile().list();
    return Arrays.stream(names).sorted().map(name -> new Golden("options", name)).toList();
  }

  static Path folder() {
    return Path.of("src/test/resources/golden");
  }

  Path transformers() {
    return folder().resolve(group).resolve(family);
  }

  Path gguf(String type) {
    return folder().resolve("gguf").resolve(family + "-" + type + ".gguf");
  }

  /** The files that hold this model in float32. */
  List<Path> files() {
    var files = new ArrayList<>(List.of(transformers()));
    var ggufs = folder().resolve(group.equals("hf") ? "gguf" : "options-gguf");
    for (var way : List.of("", "-fused", "-legacy", "-vector")) {
      var file = ggufs.resolve(family + way + "-f32.gguf");
      if (Files.exists(file)) files.add(file);
    }
    return files;
  }

  /** The arrays that Transformers computed; the caller closes them. */
  Checkpoint arrays() {
    return Checkpoint.open(transformers().resolve("golden.safetensors"));
  }

  static float[] read(Checkpoint arrays, String name) {
    var tensor = arrays.tensor(name).orElseThrow();
    var out = new float[Math.toIntExact(tensor.values())];
    tensor.encoding().decode(tensor.bytes(), 0, out, 0, out.length);
    return out;
  }

  List<Case> cases() {
    var out = new ArrayList<Case>();
    var file = transformers().resolve("golden.json").toFile();
    for (var c : new ObjectMapper().readTree(file).get("cases")) {
      out.add(
          new Case(
              out.size(),
              numbers(c.get("prompt")).mapToInt(JsonNode::asInt).toArray(),
              numbers(c.path("greedy")).mapToInt(JsonNode::asInt).toArray(),
              numbers(c.path("margins")).mapToDouble(JsonNode::asDouble).toArray()));
    }
    return out;
  }

  private static java.util.stream.Stream<JsonNode> numbers(JsonNode array) {
    return array.valueStream();
  }

  @Override
  public String toString() {
    return family;
  }
}
