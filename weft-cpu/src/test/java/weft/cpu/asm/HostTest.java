package weft.cpu.asm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class HostTest {
  @Test
  void aJvmWithoutNativeAccessRefusesWithTheFlagToAdd() throws Exception {
    var java = ProcessHandle.current().info().command().orElseThrow();
    var process =
        new ProcessBuilder(
                java,
                "--illegal-native-access=deny",
                "-cp",
                System.getProperty("java.class.path"),
                Ask.class.getName())
            .redirectErrorStream(true)
            .start();
    var answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(answer).isZero();
    assertThat(answer).startsWith("Refuses[").contains("--enable-native-access");
  }

  /** Prints what the host is, in a JVM of its own. */
  static final class Ask {
    private Ask() {}

    public static void main(String[] args) {
      new PrintStream(System.out, true, StandardCharsets.UTF_8).println(Host.probe());
    }
  }
}
