package weft.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withPrecision;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weft.generate.Model;

/** A long prompt is shared by rows where a short one is shared by outputs; nobody must notice. */
class SharedPromptTest {
  private static final int LENGTH = 401;

  /** What the matrix of teams allows where activations are bytes. */
  private static final float BYTES_APART = 8e-2f;

  static List<Path> checkpoints() {
    return Golden.all().stream()
        .flatMap(golden -> Stream.of(golden.transformers(), golden.gguf("q8_0")))
        .filter(Files::exists)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("checkpoints")
  void isTheSameHoweverManyShareIt(Path checkpoint) {
    var expected = afterPrompt(checkpoint, 1);
    assertThat(afterPrompt(checkpoint, 2)).isEqualTo(expected);
    // With more workers than heads of keys, attention takes other blocks of rows and rounds so; by
    // which a value that becomes a byte may become the one beside it.
    boolean hasBytes = Files.isRegularFile(checkpoint);
    assertThat(afterPrompt(checkpoint, 3))
        .containsExactly(expected, withPrecision(hasBytes ? BYTES_APART : 1e-4f));
  }

  private static float[] afterPrompt(Path checkpoint, int threads) {
    var options = LoadOptions.standard().withThreads(threads).withContextLength(LENGTH);
    try (var loaded = LanguageModel.load(checkpoint, options);
        var session = loaded.model().open()) {
      var text = new Random(5).ints(LENGTH, 0, loaded.model().vocabularySize()).toArray();
      var step = new Model.Step(session, text, 1);
      return loaded.model().forward(List.of(step)).getFirst()[0].toArray();
    }
  }
}
