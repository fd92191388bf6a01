package weft.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import weft.backend.BackendException;
import weft.backend.KvType;
import weft.load.Profile.Choices;
import weft.load.Specialization.Symbolic;

class ProfileTest {
  @Test
  void aProfileSpeaksOfBothPhases() {
    assertThatThrownBy(
            () ->
                new Profile(
                    Map.of(Phase.DECODE, Choices.with(new Symbolic())),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty()))
        .isInstanceOf(LoadException.class)
        .hasMessage("a profile says nothing of PREFILL");
  }

  @Test
  void anUnknownOpIsAnErrorThatListsTheKnownOnes() {
    assertThatThrownBy(() -> new Choices(new Symbolic(), Set.of(), Set.of("atend")))
        .isInstanceOf(LoadException.class)
        .hasMessageContaining("no op is called atend")
        .hasMessageContaining("ropeattend");
  }

  @Test
  void aPhaseIsChangedAlone() {
    var changed =
        Profile.standard()
            .with(Phase.DECODE, new Choices(new Symbolic(), Set.of("fuse-glu"), Set.of("rope")));
    assertThat(changed.phases().get(Phase.PREFILL))
        .isEqualTo(Profile.standard().phases().get(Phase.PREFILL));
    assertThat(changed.phases().get(Phase.DECODE).withoutFusions()).containsExactly("fuse-glu");
    assertThat(changed.forcedToReference()).containsExactly("rope");
  }

  @Test
  void whatCannotBeIsASentence() {
    var file = new Golden("llama-untied").gguf("f32");
    assertThatThrownBy(() -> LoadOptions.standard().withContextLength(0))
        .isInstanceOf(LoadException.class)
        .hasMessage("a context holds at least 1 token, got 0");
    assertThatThrownBy(() -> LanguageModel.load(file, LoadOptions.standard().withThreads(0)))
        .isInstanceOf(BackendException.class)
        .hasMessage("threads must be at least 1, got 0");
    assertThatThrownBy(() -> LanguageModel.load(file, LoadOptions.standard().withBackend("tpu")))
        .isInstanceOf(LoadException.class)
        .hasMessageContaining("no backend is called tpu; here are")
        .hasMessageContaining("reference")
        .hasMessageContaining("cpu");
    assertThatThrownBy(() -> KvType.named("q3"))
        .isInstanceOf(BackendException.class)
        .hasMessage("no key-value type is called q3; use one of [f32, f16, q8_0]");
  }
}
