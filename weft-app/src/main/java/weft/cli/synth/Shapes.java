package weft.cli.synth;

import static weft.cli.synth.Shape.Embeddings.TIED;
import static weft.cli.synth.Shape.Embeddings.UNTIED;

import java.util.List;
import java.util.Optional;
import weft.cli.synth.Shape.Parts;
import weft.cli.synth.Shape.RopeScaling;

/**
 * The table of shapes: those of published checkpoints, slices of them, and tiny ones for tests. A
 * slice has one layer of each kind and one more, since the last layer is computed for the wanted
 * rows alone.
 */
public final class Shapes {
  private static final Parts LLAMA = new Parts.Plain(Optional.empty());
  private static final Parts LLAMA_32 =
      new Parts.Plain(Optional.of(new RopeScaling(32, 1, 4, 8192)));
  private static final Parts QWEN3 = new Parts.HeadNorms();
  private static final Parts GEMMA3 = new Parts.NormsAround(1e4f, 6);
  private static final Parts GEMMA3_SLICE = new Parts.NormsAround(1e4f, 2);
  private static final Parts MOE = new Parts.Experts(128, 8, 768);
  private static final Parts TINY_MOE = new Parts.Experts(8, 2, 256);
  private static final Parts QWEN35 = new Parts.Hybrid(16, 16, 128, 4, 4, 64, 1);
  private static final Parts QWEN35_SLICE = new Parts.Hybrid(16, 16, 128, 4, 2, 64, 0);
  private static final Parts TINY_QWEN35 = new Parts.Hybrid(2, 4, 32, 4, 4, 16, 1);

  // spotless:off
  // name, architecture, layers, width, heads, kv heads, head dim, feed-forward, vocabulary, context, rope base, epsilon, window
  private static final List<Shape> ALL = List.of(
      new Shape("llama-3.2-1b",        "llama",    16, 2048, 32,  8,  64,  8192, 128256, 131072, 5e5f, 1e-5f,   0, TIED,   LLAMA_32),
      new Shape("llama-3.2-3b",        "llama",    28, 3072, 24,  8, 128,  8192, 128256, 131072, 5e5f, 1e-5f,   0, TIED,   LLAMA_32),
      new Shape("llama-2-7b",          "llama",    32, 4096, 32, 32, 128, 11008,  32000,   4096, 1e4f, 1e-5f,   0, UNTIED, LLAMA),
      new Shape("qwen3-0.6b",          "qwen3",    28, 1024, 16,  8, 128,  3072, 151936,  40960, 1e6f, 1e-6f,   0, TIED,   QWEN3),
      new Shape("qwen3-4b",            "qwen3",    36, 2560, 32,  8, 128,  9728, 151936,  40960, 1e6f, 1e-6f,   0, TIED,   QWEN3),
      new Shape("qwen3-8b",            "qwen3",    36, 4096, 32,  8, 128, 12288, 151936,  40960, 1e6f, 1e-6f,   0, UNTIED, QWEN3),
      new Shape("gemma-3-1b",          "gemma3",   26, 1152,  4,  1, 256,  6912, 262144,  32768, 1e6f, 1e-6f, 512, TIED,   GEMMA3),
      new Shape("qwen3.5-0.8b",        "qwen35",   24, 1024,  8,  2, 256,  3584, 248320, 262144, 1e7f, 1e-6f,   0, TIED,   QWEN35),
      new Shape("qwen3-30b-a3b-slice", "qwen3moe",  4, 2048, 32,  4, 128,  6144, 151936,  40960, 1e6f, 1e-6f,   0, UNTIED, MOE),
      new Shape("qwen3-vl-2b",         "qwen3vl",  28, 2048, 16,  8, 128,  6144, 151936, 262144, 5e6f, 1e-6f,   0, TIED,   QWEN3),
      new Shape("qwen3-vl-2b-slice",   "qwen3vl",   2, 2048, 16,  8, 128,  6144, 151936, 262144, 5e6f, 1e-6f,   0, TIED,   QWEN3),
      new Shape("llama-3.2-1b-slice",  "llama",     2, 2048, 32,  8,  64,  8192, 128256, 131072, 5e5f, 1e-5f,   0, TIED,   LLAMA_32),
      new Shape("qwen3-0.6b-slice",    "qwen3",     2, 1024, 16,  8, 128,  3072, 151936,  40960, 1e6f, 1e-6f,   0, TIED,   QWEN3),
      new Shape("gemma-3-1b-slice",    "gemma3",    3, 1152,  4,  1, 256,  6912, 262144,  32768, 1e6f, 1e-6f, 512, TIED,   GEMMA3_SLICE),
      new Shape("qwen3.5-0.8b-slice",  "qwen35",    3, 1024,  8,  2, 256,  3584, 248320, 262144, 1e7f, 1e-6f,   0, TIED,   QWEN35_SLICE),
      new Shape("tiny-llama",          "llama",     2,  256,  4,  2,  64,   512,    512,   2048, 1e4f, 1e-5f,   0, TIED,   LLAMA),
      new Shape("tiny-qwen3",          "qwen3",     2,  256,  4,  2,  64,   512,    512,   2048, 1e6f, 1e-6f,   0, TIED,   QWEN3),
      new Shape("tiny-gemma3",         "gemma3",    7,  256,  4,  2,  64,   512,    512,   2048, 1e6f, 1e-6f,  16, TIED,   GEMMA3),
      new Shape("tiny-qwen3.5",        "qwen35",    4,  256,  4,  2,  64,   512,    512,   2048, 1e7f, 1e-6f,   0, UNTIED, TINY_QWEN35),
      new Shape("tiny-qwen3-moe",      "qwen3moe",  2,  256,  4,  2,  64,   512,    512,   2048, 1e6f, 1e-6f,   0, UNTIED, TINY_MOE));
  // spotless:on

  private Shapes() {}

  public static List<String> names() {
    return ALL.stream().map(Shape::name).toList();
  }

  public static Optional<Shape> named(String name) {
    return ALL.stream().filter(shape -> shape.name().equals(name)).findFirst();
  }
}
