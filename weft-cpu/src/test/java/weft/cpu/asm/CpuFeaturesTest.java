package weft.cpu.asm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CpuFeaturesTest {
  private static final CpuFeatures HASWELL =
      new CpuFeatures("a Haswell", EnumSet.copyOf(Isa.AVX2.required()));

  @Test
  void detectsWhatTheKernelSees() throws IOException {
    Hosts.assumeEmits();
    var flags =
        Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
            .filter(l -> l.startsWith("flags"))
            .findFirst()
            .map(l -> Set.copyOf(Arrays.asList(l.split("\\s+"))))
            .orElseThrow();
    var detected = CpuFeatures.detect();
    assertThat(detected.brand()).isNotBlank();
    for (var feature : CpuFeature.values()) {
      assertThat(detected.present().contains(feature))
          .as(feature.name())
          .isEqualTo(flags.contains(feature.name().toLowerCase(Locale.ROOT)));
    }
  }

  @Test
  void levelsIncludeTheOnesBelow() {
    assertThat(HASWELL.levels()).containsExactly(Isa.AVX2);
    assertThat(HASWELL.best()).contains(Isa.AVX2);
    var all = new CpuFeatures("all", EnumSet.allOf(CpuFeature.class));
    assertThat(all.levels()).containsExactly(Isa.AVX2, Isa.AVX512, Isa.VNNI, Isa.AMX);
    assertThat(new CpuFeatures("a Pentium", Set.of()).best()).isEmpty();
    assertThat(Isa.VNNI.includes(Isa.AVX2)).isTrue();
    assertThat(Isa.AVX2.includes(Isa.AVX512)).isFalse();
  }

  @Test
  void anAbsentLevelIsRefusedWithWhatIsMissing() {
    assertThat(HASWELL.require(Isa.AVX2)).isEqualTo(Isa.AVX2);
    assertThatThrownBy(() -> HASWELL.require(Isa.VNNI))
        .isInstanceOf(AsmException.class)
        .hasMessageStartingWith("vnni kernels need [AVX512F, ")
        .hasMessageContaining("AVX512_VNNI")
        .hasMessageEndingWith("which a Haswell does not offer; it runs [AVX2]");
  }

  @Test
  void levelsAreFoundByName() {
    assertThat(Isa.named("avx512")).contains(Isa.AVX512);
    assertThat(Isa.named("avx1024")).isEmpty();
  }
}
