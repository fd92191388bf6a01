package weft.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackendOptionsTest {
  private static Backend.Options threads(int count) {
    return new Backend.Options(OptionalInt.of(count), "auto", KvType.F32, Set.of());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE, 100_000, Integer.MAX_VALUE})
  void noDeviceIsAskedForSuchThreads(int count) {
    assertThatThrownBy(() -> threads(count))
        .isInstanceOf(BackendException.class)
        .hasMessageStartingWith("threads must be at ")
        .hasMessageEndingWith(", got " + count);
  }

  @Test
  void allCoresAndMoreAreTaken() {
    int cores = Runtime.getRuntime().availableProcessors();
    assertThat(Backend.Options.mostThreads()).isGreaterThanOrEqualTo(Math.max(64, 4 * cores));
    assertThat(threads(Backend.Options.mostThreads()).threads()).isPresent();
  }
}
