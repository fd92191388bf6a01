package weft.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import weft.generate.Model;
import weft.load.LanguageModel;
import weft.load.LoadOptions;
import weft.load.Phase;
import weft.load.Profile;
import weft.load.Specialization.Buckets;

/** Steps whose rows nobody reads are told one behind the other, while the first still runs. */
class QueueTest {
  private static final Path MODEL = CudaGoldenTest.GOLDEN.resolve("hf/llama-untied");

  /** A prompt takes several steps of four tokens. */
  private static final Profile SMALL =
      Profile.standard()
          .with(Phase.PREFILL, Profile.Choices.with(Buckets.powerOfTwo(4, 4)))
          .with(Phase.DECODE, Profile.Choices.with(Buckets.powerOfTwo(1, 2)));

  private static float[] logits(String backend) {
    var options = LoadOptions.standard().withBackend(backend).withDevice(0).withProfile(SMALL);
    try (var model = LanguageModel.load(MODEL, options);
        var session = model.model().open()) {
      var prompt = IntStream.range(0, 70).map(i -> 1 + i * 7 % 50).toArray();
      var step = new Model.Step(session, prompt, 1);
      return model.model().forward(List.of(step)).getFirst()[0].toArray();
    }
  }

  @Test
  void whatAStepIsToldByStaysUntilTheDeviceHasReadIt() {
    assertThat(LateDriver.Manner.values()[0]).isEqualTo(LateDriver.Manner.LATE);
    assertThat(logits("late")).containsExactly(logits("interpreted"));
  }
}
