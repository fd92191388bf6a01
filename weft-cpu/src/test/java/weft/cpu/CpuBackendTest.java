package weft.cpu;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import weft.backend.Backend;
import weft.backend.BackendException;
import weft.backend.KvType;

class CpuBackendTest {
  @Test
  void anUnknownInstructionSetIsRefusedWithAllThatThereAre() {
    var options = new Backend.Options(OptionalInt.of(1), "avx1024", KvType.F32, Set.of());
    assertThatThrownBy(() -> new CpuBackend().open(options))
        .isInstanceOf(BackendException.class)
        .hasMessage(
            "no instruction set is called avx1024; there are avx2, avx512, vnni, portable, auto");
  }
}
