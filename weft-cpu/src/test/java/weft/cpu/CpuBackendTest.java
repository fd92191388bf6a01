package weft.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import weft.backend.Backend;
import weft.backend.BackendException;
import weft.cpu.asm.Host;

class CpuBackendTest {
  @Test
  void anUnknownInstructionSetIsRefusedWithAllThatThereAre() {
    var options = Backend.Options.standard().withThreads(1).withIsa("avx1024");
    assertThatThrownBy(() -> new CpuBackend().open(options))
        .isInstanceOf(BackendException.class)
        .hasMessage(
            "no instruction set is called avx1024; there are avx2, avx512, vnni, amx, portable, auto");
  }

  @Test
  void aMachineThatRunsNoEmittedCodeSaysWhy() {
    var backend = new CpuBackend(() -> new Host.Refuses("this is no x86-64"));
    var options = Backend.Options.standard().withThreads(1);
    try (var device = backend.open(options);
        var asked = backend.open(options.withIsa("portable"))) {
      assertThat(device.target().name()).startsWith("cpu-portable");
      assertThat(device.remarks())
          .containsExactly(
              "machine code of weft's own does not run here (this is no x86-64), so portable kernels do");
      assertThat(asked.remarks()).as("of what was asked for").isEmpty();
    }
  }
}
