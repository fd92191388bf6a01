package weft.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weft.backend.Backend;
import weft.backend.Executable;
import weft.backend.KvType;
import weft.backend.Step;
import weft.generate.Model;
import weft.lir.Bounds;

/** Keys and values in halves and bytes: close logits in less memory. */
class KvTypesTest {
  /** Heads of 32: whole blocks of every type. */
  private static final Golden QWEN = new Golden("qwen3");

  private static LanguageModel load(Path file, String backend, KvType type) {
    var profile = Profile.standard().withKvType(type);
    return LanguageModel.load(
        file, LoadOptions.standard().withBackend(backend).withThreads(2).withProfile(profile));
  }

  private static float[] logits(LanguageModel model, int[] prompt) {
    try (var session = model.model().open()) {
      var logits = new float[0];
      // Token by token, so that every key and value is read back from where it is kept.
      for (int token : prompt) {
        var step = new Model.Step(session, new int[] {token}, 1);
        logits = model.model().forward(List.of(step)).getFirst()[0].toArray();
      }
      return logits;
    }
  }

  private static double cosine(float[] a, float[] b) {
    double ab = 0;
    double aa = 0;
    double bb = 0;
    for (int i = 0; i < a.length; i++) {
      ab += (double) a[i] * b[i];
      aa += (double) a[i] * a[i];
      bb += (double) b[i] * b[i];
    }
    return ab / Math.sqrt(aa * bb);
  }

  @ParameterizedTest
  @ValueSource(strings = {"reference", "cpu"})
  void theLogitsAreClose(String backend) {
    var file = QWEN.gguf("f32");
    try (var exact = load(file, backend, KvType.F32);
        var halves = load(file, backend, KvType.F16);
        var bytes = load(file, backend, KvType.Q8_0)) {
      for (var c : QWEN.cases()) {
        var expected = logits(exact, c.prompt());
        assertThat(cosine(logits(halves, c.prompt()), expected)).isGreaterThan(0.999_99);
        assertThat(cosine(logits(bytes, c.prompt()), expected)).isGreaterThan(0.998);
      }
    }
  }

  @Test
  void theStateShrinksByTheTypesSize() {
    long floats = stateBytes(KvType.F32);
    assertThat(stateBytes(KvType.F16)).isEqualTo(floats / 2);
    assertThat(stateBytes(KvType.Q8_0)).isEqualTo(floats * 34 / 128);
  }

  private static long stateBytes(KvType type) {
    var options = Backend.Options.standard().withThreads(1).withKvType(type);
    try (var model = LanguageModel.load(QWEN.gguf("f32"));
        var device = Backends.open("cpu", options);
        var state = device.state(model.compiled().plan().slots())) {
      var bounds = new Bounds(3, 1);
      var plan = model.compiled().plan();
      var graph = plan.graph().keeping(Plan.LOGITS);
      var program = plan.pipelines().get(Phase.PREFILL).compile(graph, bounds);
      try (var weights = device.prepare(model.compiled().plan().weights());
          var executable = device.load(program, weights)) {
        var parts = List.of(new Step.Part(state, 3));
        var step = new Step(new int[] {1, 2, 3}, new int[] {0, 1, 2}, new int[] {2}, parts);
        executable.run(step, Executable.Observer.NONE);
        return state.bytes();
      }
    }
  }

  @Test
  void aQuantizedCheckpointKeepsHalvesAndAFloatOneFloats() {
    var golden = new Golden("llama-untied");
    var prompt = golden.cases().get(2).prompt();
    try (var standard = LanguageModel.load(golden.gguf("q8_0"));
        var halves = load(golden.gguf("q8_0"), "cpu", KvType.F16)) {
      assertThat(logits(standard, prompt)).isEqualTo(logits(halves, prompt));
    }
    try (var standard = LanguageModel.load(golden.gguf("f32"));
        var floats = load(golden.gguf("f32"), "cpu", KvType.F32)) {
      assertThat(logits(standard, prompt)).isEqualTo(logits(floats, prompt));
    }
  }
}
