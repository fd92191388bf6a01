package weft.load;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weft.backend.BackendException;

/** What no model is loaded with, whoever asks. */
class LoadOptionsTest {
  private final LoadOptions options = LoadOptions.standard();

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 100_000, Integer.MAX_VALUE})
  void threads(int count) {
    assertThatThrownBy(() -> options.withThreads(count)).isInstanceOf(BackendException.class);
    var profile = Profile.standard();
    assertThatThrownBy(() -> profile.withThreads(count)).isInstanceOf(BackendException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, (1 << 24) + 1, Integer.MAX_VALUE})
  void contexts(int tokens) {
    assertThatThrownBy(() -> options.withContextLength(tokens))
        .isInstanceOf(LoadException.class)
        .hasMessageStartingWith("a context holds at ")
        .hasMessageEndingWith(", got " + tokens);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 1025, Integer.MAX_VALUE})
  void specializations(int count) {
    assertThatThrownBy(() -> new Specialization.Exact(count)).isInstanceOf(LoadException.class);
    assertThatThrownBy(() -> new Specialization.Buckets(1, 2, count))
        .isInstanceOf(LoadException.class);
    assertThatThrownBy(() -> Specialization.Buckets.powerOfTwo(count + 1, count))
        .isInstanceOf(LoadException.class);
  }

  @Test
  void foldersWithoutAName() {
    assertThatThrownBy(() -> options.withProgramCache(Path.of("")))
        .isInstanceOf(LoadException.class)
        .hasMessageContaining("has no name");
  }

  @Test
  void devicesThatAreNot() {
    assertThatThrownBy(() -> options.withDevice(-1))
        .isInstanceOf(BackendException.class)
        .hasMessageContaining("counted from 0, got device -1");
    var model = new Golden("qwen2").transformers();
    assertThatThrownBy(() -> LanguageModel.load(model, options.withDevice(3)))
        .isInstanceOf(BackendException.class)
        .hasMessage("the cpu backend has one device, device 0, but was asked for 3");
  }
}
