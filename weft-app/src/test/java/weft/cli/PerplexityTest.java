package weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import weft.format.Checkpoint;
import weft.format.GgufWriter;
import weft.generate.Model;
import weft.load.BuiltIn;
import weft.load.LanguageModel;
import weft.load.LoadOptions;
import weft.quant.StorageType;
import weft.text.tokenizer.SpecialText;
import weft.text.tokenizer.Surround;

/**
 * Kernels round activations to bytes; what a trained model thinks of a text must not notice. The
 * reference unpacks every weight and multiplies floats.
 */
class PerplexityTest {
  private static final Percentage NEAR = Percentage.withPercentage(0.5);
  private static final String PROMPT =
      "<|im_start|>user\nTell me a story about Laura.<|im_end|>\n<|im_start|>assistant\n";

  /** Made by the generator that the model's training text comes from, with another seed. */
  private static final String STORY =
      """
      Long ago, in a lighthouse, there lived a young astronaut called Laura. Snow lay on the \
      fields, and smoke rose from the chimneys. Laura liked honey cakes, long walks and sunny \
      afternoons. There was also Ada, a funny librarian whom everybody trusted.

      In the old barn Laura found a tin man with one arm. Its light was off, and it was covered \
      with dust.\
      """;

  private static final List<String> TYPES =
      List.of(
          "Q8_0", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K", "IQ4_NL",
          "IQ4_XS", "MXFP4", "F16", "BF16");

  private record Both(double emitted, double reference) {
    static Both of(String type, Path folder) {
      var file = folder.resolve(type + ".gguf");
      encode(StorageType.valueOf(type), file);
      return new Both(perplexity(file, "cpu"), perplexity(file, "reference"));
    }
  }

  /** Two at a time: the reference, which takes most of the time, is of one thread. */
  @TestFactory
  Stream<DynamicTest> anEncodedModelIsAsSurprisedByATextAsItsUnpackedWeightsAre(
      @TempDir Path folder) {
    try (var two = Executors.newFixedThreadPool(2)) {
      var found = new LinkedHashMap<String, Future<Both>>();
      for (var type : TYPES) found.put(type, two.submit(() -> Both.of(type, folder)));
      return found.entrySet().stream()
          .map(
              each ->
                  DynamicTest.dynamicTest(
                      each.getKey(),
                      () -> {
                        var both = each.getValue().get();
                        assertThat(both.emitted).isCloseTo(both.reference, NEAR);
                      }));
    }
  }

  /** The built-in model with every matrix that has whole blocks in another encoding. */
  private static void encode(StorageType type, Path to) {
    var from = BuiltIn.file(Path.of("target", "cache")).orElseThrow();
    var encoding = type.encoding().orElseThrow();
    try (var checkpoint = Checkpoint.open(from)) {
      var writer = new GgufWriter();
      checkpoint.metadata().entries().forEach(writer::put);
      for (var tensor : checkpoint.tensors().values()) {
        int width = Math.toIntExact(tensor.shape().getLast());
        boolean isMatrix = tensor.type() == StorageType.Q8_0;
        boolean fits = isMatrix && width % encoding.blockValues() == 0;
        if (!fits) {
          writer.tensor(
              tensor.name(),
              tensor.type(),
              tensor.shape(),
              bytes -> bytes.copyFrom(tensor.bytes()));
          continue;
        }
        var values = new float[Math.toIntExact(tensor.values())];
        tensor.encoding().decode(tensor.bytes(), 0, values, 0, values.length);
        writer.tensor(
            tensor.name(),
            type,
            tensor.shape(),
            bytes -> encoding.encode(values, 0, values.length, bytes, 0));
      }
      writer.write(to);
    }
  }

  private static double perplexity(Path file, String backend) {
    try (var model = LanguageModel.load(file, LoadOptions.standard().withBackend(backend));
        var session = model.model().open()) {
      var tokenizer = model.tokenizer();
      int prompt = tokenizer.encode(PROMPT, Surround.ADDED, SpecialText.PARSED).length;
      int[] text = tokenizer.encode(PROMPT + STORY, Surround.ADDED, SpecialText.PARSED);
      var rows =
          model.model().forward(List.of(new Model.Step(session, text, text.length))).getFirst();
      double surprise = 0;
      for (int i = prompt - 1; i + 1 < text.length; i++) {
        surprise -= logProbability(rows[i].toArray(), text[i + 1]);
      }
      return Math.exp(surprise / (text.length - prompt));
    }
  }

  private static double logProbability(float[] logits, int token) {
    double sum = 0;
    for (float logit : logits) sum += Math.exp(logit - logits[token]);
    return -Math.log(sum);
  }
}
