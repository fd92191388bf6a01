package weft.cpu.asm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.opentest4j.TestAbortedException;

class HostsTest {
  private static final Host NONE = new Host.Refuses("no such processor");

  /** Says which levels no test of this run has seen. */
  @ParameterizedTest
  @EnumSource(Isa.class)
  void theseTestsRunEveryLevel(Isa isa) {
    Hosts.assumeRuns(isa);
  }

  @Test
  void aMachineWithoutEmittedCodeSkipsUnlessALevelIsRequired() {
    assertThatExceptionOfType(TestAbortedException.class)
        .isThrownBy(() -> Hosts.levels(NONE, List.of()))
        .withMessageContaining("no such processor");
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> Hosts.levels(NONE, List.of(Isa.VNNI)))
        .withMessageContaining("[VNNI]")
        .withMessageContaining("no such processor");
  }

  @Test
  void requiredLevelsHaveTheNamesOfTheCommandLine() {
    assertThat(Hosts.required("")).isEmpty();
    assertThat(Hosts.required("avx512, avx2")).containsExactly(Isa.AVX512, Isa.AVX2);
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> Hosts.required("avx1024"))
        .withMessageContaining("avx1024");
  }
}
