package weft.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackendOptionsTest {
  private static Backend.Options threads(int count) {
    return Backend.Options.standard().withThreads(count);
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

  @Test
  void whatIsNotChangedStays() {
    var options = threads(3).withOrdinal(2).withIsa("x").withKvType(KvType.F16);
    var all = options.withMemoryBudget(1 << 20).withForcedToReference(Set.of("map"));
    assertThat(all.threads()).hasValue(3);
    assertThat(all.ordinal()).isEqualTo(2);
    assertThat(all.isa()).isEqualTo("x");
    assertThat(all.kvType()).isEqualTo(KvType.F16);
    assertThat(all.memoryBudget()).hasValue(1 << 20);
    assertThat(all.forcedToReference()).containsExactly("map");
  }

  @Test
  void aDeviceThatIsNotThereIsRefused() {
    var standard = Backend.Options.standard();
    assertThatThrownBy(() -> standard.withOrdinal(-1))
        .isInstanceOf(BackendException.class)
        .hasMessage("devices are counted from 0, got device -1");
    assertThatThrownBy(() -> new ReferenceBackend().open(standard.withOrdinal(1)))
        .isInstanceOf(BackendException.class)
        .hasMessageContaining("one device, device 0, but was asked for 1");
  }

  @Test
  void noMemoryAtAllIsNoBudget() {
    assertThatThrownBy(() -> Backend.Options.standard().withMemoryBudget(0))
        .isInstanceOf(BackendException.class)
        .hasMessage("a memory budget is at least 1 byte, got 0");
  }
}
