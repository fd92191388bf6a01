package weft.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weft.generate.Engine;
import weft.generate.Model.Step;
import weft.generate.PromptLookup;
import weft.generate.Request;
import weft.generate.Session;
import weft.generate.Speculation;

/** Programs are chosen by what their buffers depend on: how many are compiled is counted. */
class ProgramCountTest {
  private static final int VOCABULARY = 259;
  private static final int CONTEXT = 2048;

  private final List<String> compiled = new ArrayList<>();

  private LanguageModel load(String family) {
    var options =
        LoadOptions.standard()
            .withBackend("cpu")
            .withThreads(1)
            .withContextLength(CONTEXT)
            .withListeners(
                warning -> {},
                progress -> {
                  if (progress.startsWith("compiling")) compiled.add(progress);
                });
    return LanguageModel.load(new Golden(family).files().getLast(), options);
  }

  private static int[] tokens(Random random, int count) {
    return random.ints(count, 0, VOCABULARY).toArray();
  }

  @ParameterizedTest
  @ValueSource(strings = {"llama-untied", "qwen35-text"})
  void aChatOfTwentyTurnsCompilesPrefillOnceATokenBucket(String family) {
    var random = new Random(20);
    try (var model = load(family);
        var engine = Engine.start(model.model())) {
      int[] text = tokens(random, 5);
      for (int turn = 0; turn < 20; turn++) {
        var request =
            Request.of(text)
                .withMaxTokens(9)
                .withSpeculation(Speculation.of(new PromptLookup(1, 3), turn % 4));
        var reply = engine.generate(request).tokens();
        text = concat(concat(text, reply), tokens(random, 3 + random.nextInt(90)));
      }
      assertThat(text.length).isGreaterThan(600);
    }
    assertThat(compiled).doesNotHaveDuplicates();
    assertThat(compiled)
        .isSubsetOf(
            "compiling decode for up to 32 tokens",
            "compiling prefill for up to 32 tokens",
            "compiling prefill for up to 64 tokens",
            "compiling prefill for up to 128 tokens");
  }

  /** Three replies and what is new of a prompt, in one pass. */
  private static List<Step> mixed(List<Session> sessions, int promptTokens) {
    var steps = new ArrayList<Step>();
    for (var session : sessions.subList(0, 3)) steps.add(new Step(session, new int[] {7}, 1));
    steps.add(new Step(sessions.get(3), new int[promptTokens], 1));
    return steps;
  }

  @Test
  void smallMixedStepsRunOnTheDecodeProgram() {
    try (var model = load("llama-untied")) {
      var sessions = IntStream.range(0, 4).mapToObj(i -> model.model().open()).toList();
      for (int promptTokens : List.of(1, 5, 29))
        model.model().forward(mixed(sessions, promptTokens));
      assertThat(compiled).containsExactly("compiling decode for up to 32 tokens");
      model.model().forward(mixed(sessions, 30));
      assertThat(compiled).endsWith("compiling prefill for up to 64 tokens").hasSize(2);
      sessions.forEach(Session::close);
    }
  }

  @Test
  void aMixedStepGivesWhatItsPartsGiveAlone() {
    try (var model = load("llama-untied")) {
      var alone = IntStream.range(0, 4).mapToObj(i -> model.model().open()).toList();
      var together = IntStream.range(0, 4).mapToObj(i -> model.model().open()).toList();
      var rows =
          model.model().forward(mixed(together, 6)).stream().map(r -> r[0].toArray()).toList();
      var steps = mixed(alone, 6);
      for (int i = 0; i < 4; i++) {
        var row = model.model().forward(List.of(steps.get(i))).getFirst()[0].toArray();
        for (int j = 0; j < row.length; j++) {
          assertThat(rows.get(i)[j]).isCloseTo(row[j], org.assertj.core.data.Offset.offset(1e-4f));
        }
      }
      alone.forEach(Session::close);
      together.forEach(Session::close);
    }
  }

  @Test
  void aStepPastTheContextIsRefusedBeforeAnythingIsFed() {
    try (var model = load("llama-untied");
        var full = model.model().open();
        var other = model.model().open()) {
      model.model().forward(List.of(new Step(full, new int[CONTEXT - 2], 0)));
      var steps = List.of(new Step(other, new int[] {1}, 1), new Step(full, new int[3], 1));
      assertThatThrownBy(() -> model.model().forward(steps))
          .isInstanceOf(LoadException.class)
          .hasMessage("a session at position 2046 is fed 3 tokens, but the context holds 2048");
      assertThat(other.position()).isZero();
      model.model().forward(List.of(new Step(full, new int[2], 1)));
      assertThat(full.position()).isEqualTo(CONTEXT);
    }
  }

  private static int[] concat(int[] a, int[] b) {
    return IntStream.concat(Arrays.stream(a), Arrays.stream(b)).toArray();
  }
}
