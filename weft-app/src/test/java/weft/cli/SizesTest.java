package weft.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizesTest {
  private static final String GGUF = Cli.golden("gguf/llama-untied-f32.gguf");

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "4096, 4096",
    "3k, 3072",
    "512M, 536870912",
    "2G, 2147483648",
    "1TiB, 1099511627776",
    "10mb, 10485760"
  })
  void sizesHaveUnits(String text, long bytes) {
    assertThat(Sizes.bytes("--memory", text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "", "G", "1.5G", "9999999999T", "1 G", "2X"})
  void whatIsNoSizeIsRefused(String text) {
    assertThatThrownBy(() -> Sizes.bytes("--memory", text))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("--memory")
        .hasMessageContaining("'" + text + "'");
  }

  @Test
  void aTextThatTheMemoryDoesNotHoldIsSaidToBeTooLong() {
    var result = Cli.run("run", GGUF, "--tokens", "1,2,3,4,5", "--memory", "1K");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err())
        .contains("--memory")
        .contains("1024 bytes")
        .doesNotContain("Exception");
    assertThat(
            Cli.run("run", GGUF, "--tokens", "1,2", "--max-tokens=2", "--memory", "64M").status())
        .isZero();
  }
}
