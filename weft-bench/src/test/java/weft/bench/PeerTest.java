package weft.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeerTest {
  private static final PeerTask FOUR = new PeerTask("tg32x4", 0, 32, 0, 4);

  @TempDir private Path folder;

  /** llama.cpp prints its table to the standard output, ik_llama.cpp to the standard error. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aTableOfSeveralSequencesIsReadWhereverItIsPrinted(int stream) throws Exception {
    program("llama-bench", "echo '  -d, --n-depth <n>'");
    program(
        "llama-batched-bench",
        """
        echo 'what it leaves where it runs' > llama.log
        echo 'llama_model_load: | 7 of these | is no row' >&2
        echo '|    PP |     TG |    B |   N_KV |   T_PP s | S_PP t/s |   T_TG s | S_TG t/s |      T s |    S t/s |' >&%1$d
        echo '|     1 |     32 |    4 |    132 |    0.061 |    65.23 |    1.581 |    80.94 |    1.643 |    80.36 |' >&%1$d
        """
            .formatted(stream));
    var peer = Peer.Native.of("fork=" + folder.resolve("llama-bench"));
    assertThat(peer.rate(Path.of("model.gguf"), FOUR, 2)).contains(80.94);
    assertThat(Path.of("llama.log")).doesNotExist();
  }

  @Test
  void aBuildWithoutThatBenchHasNoSuchRow() throws Exception {
    program("llama-bench", "true");
    var peer = Peer.Native.of("fork=" + folder.resolve("llama-bench"));
    assertThat(peer.rate(Path.of("model.gguf"), FOUR, 2)).isEmpty();
  }

  @Test
  void whatAPeerSaysOfItsFailureIsPassedOn() throws Exception {
    program("llama-bench", "true");
    program("llama-batched-bench", "echo 'no such model' >&2; exit 3");
    var peer = Peer.Native.of("fork=" + folder.resolve("llama-bench"));
    assertThatThrownBy(() -> peer.rate(Path.of("model.gguf"), FOUR, 2))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no such model");
  }

  private void program(String name, String script) throws IOException {
    var file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + script + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }
}
