package weft.bench.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import weft.cli.synth.Mix;
import weft.cli.synth.Shape;
import weft.cli.synth.Shape.Embeddings;
import weft.cli.synth.Shape.Parts;
import weft.cli.synth.Synthesis;

/** The smallest whole models that there are, a file each. */
final class Models {
  /** A folder with more of them: the tree's own, where the fuzzer runs in the tree. */
  static final String FOLDER = "weft.fuzz.models";

  private static final int LARGEST = 350_000;
  private static final int VOCABULARY = 272;

  private static final List<Shape> SHAPES =
      List.of(
          shape("llama", Embeddings.TIED, 0, new Parts.Plain(Optional.empty())),
          shape("qwen3", Embeddings.TIED, 0, new Parts.HeadNorms()),
          shape("gemma3", Embeddings.TIED, 4, new Parts.NormsAround(1e4f, 2)),
          shape("qwen3moe", Embeddings.UNTIED, 0, new Parts.Experts(4, 2, 32)),
          shape("qwen35", Embeddings.UNTIED, 0, new Parts.Hybrid(1, 2, 16, 4, 2, 8, 0)));

  private Models() {}

  private static Shape shape(String family, Embeddings embeddings, int window, Parts parts) {
    return new Shape(
        family,
        family,
        2,
        32,
        2,
        1,
        16,
        32,
        VOCABULARY,
        64,
        1e4f,
        1e-5f,
        window,
        embeddings,
        parts);
  }

  /** Files of all families in float32, some of them packed, and those of the folder. */
  static List<byte[]> all() {
    var files = new ArrayList<>(exact());
    files.addAll(synthesized("Q8_0"));
    files.addAll(inFolder());
    return files;
  }

  /** A file in float32 for each way in which layers differ. */
  static List<byte[]> exact() {
    return synthesized("F32");
  }

  private static List<byte[]> synthesized(String mix) {
    return SHAPES.stream().map(shape -> synthesized(shape, Mix.named(mix).orElseThrow())).toList();
  }

  private static byte[] synthesized(Shape shape, Mix mix) {
    var file = Scratch.file("seed.gguf");
    new Synthesis(shape, mix, 1).write(file, _ -> {});
    return Scratch.bytes(file);
  }

  private static List<byte[]> inFolder() {
    var folder = Path.of(System.getProperty(FOLDER, ""));
    if (!Files.isDirectory(folder)) return List.of();
    try (var files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".gguf"))
          .sorted()
          .map(Scratch::bytes)
          .filter(bytes -> bytes.length <= LARGEST)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(folder + " cannot be listed", e);
    }
  }
}
