package weft.cpu;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import weft.backend.Backend;
import weft.backend.BackendException;

class CpuBackendTest {
  @Test
  void anUnknownInstructionSetIsRefusedWithAllThatThereAre() {
    var options = Backend.Options.standard().withThreads(1).withIsa("avx1024");
    assertThatThrownBy(() -> new CpuBackend().open(options))
        .isInstanceOf(BackendException.class)
        .hasMessage(
            "no instruction set is called avx1024; there are avx2, avx512, vnni, portable, auto");
  }
}
