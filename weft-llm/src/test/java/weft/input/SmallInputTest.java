package weft.input;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class SmallInputTest {
  private static final int MOST = 1000;

  @TempDir private Path folder;

  @Test
  void readsWhatFits() throws IOException {
    var file = Files.writeString(folder.resolve("a"), "x".repeat(MOST));
    assertThat(SmallInput.file(file, MOST)).hasSize(MOST);
    assertThat(SmallInput.named(file, MOST)).hasSize(MOST);
    assertThat(SmallInput.stream(Files.newInputStream(file), "a", MOST)).hasSize(MOST);
    assertThat(SmallInput.file(Files.writeString(folder.resolve("b"), ""), MOST)).isEmpty();
  }

  @Test
  void refusesWhatDoesNotFit() throws IOException {
    var file = Files.writeString(folder.resolve("a"), "x".repeat(MOST + 1));
    assertThatThrownBy(() -> SmallInput.file(file, MOST))
        .isInstanceOf(IOException.class)
        .hasMessage(file + " has 1001 bytes, expected at most 1000");
    assertThatThrownBy(() -> SmallInput.named(file, MOST)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> SmallInput.stream(Files.newInputStream(file), "a", MOST))
        .hasMessageContaining("more than 1000 bytes");
  }

  @Test
  void whatHasNoEndIsReadNoFurtherThanItsBound() {
    var endless =
        new InputStream() {
          private long given;

          @Override
          public int read() {
            given++;
            return 0;
          }

          @Override
          public int read(byte[] bytes, int from, int length) {
            given += length;
            return length;
          }
        };
    assertThatThrownBy(() -> SmallInput.stream(endless, "it", MOST))
        .hasMessageContaining("it has more than");
    assertThat(endless.given).isLessThanOrEqualTo(MOST + 1);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
  void whatIsNoRegularFileIsRefusedBeforeItIsOpened() throws Exception {
    var pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    var link = Files.createSymbolicLink(folder.resolve("link"), Path.of("/dev/zero"));
    for (var file : List.of(pipe, link, Path.of("/dev/zero"), folder)) {
      assertThatThrownBy(() -> SmallInput.file(file, MOST))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith(file.toString())
          .hasMessageContaining("expected a regular file");
    }
    assertThatThrownBy(() -> SmallInput.named(link, MOST)).hasMessageContaining("more than 1000");
    assertThatThrownBy(() -> SmallInput.named(folder, MOST)).hasMessageContaining("a folder");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
  void aNamedPipeIsReadToItsEnd() throws Exception {
    var pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    var writer = new ProcessBuilder("sh", "-c", "echo hi > '" + pipe + "'").start();
    assertThat(SmallInput.named(pipe, MOST)).asString().isEqualTo("hi\n");
    assertThat(writer.waitFor()).isZero();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void whatTheSystemMakesUpHasNoSizeButContents() throws IOException {
    assertThat(SmallInput.file(Path.of("/proc/self/stat"), 1 << 16)).isNotEmpty();
    assertThatThrownBy(() -> SmallInput.file(Path.of("/proc/self/maps"), 10))
        .hasMessageContaining("more than 10 bytes");
  }

  @Test
  void linksToRegularFilesAreFollowed() throws IOException {
    var file = Files.writeString(folder.resolve("a"), "x");
    assertThat(SmallInput.file(Files.createSymbolicLink(folder.resolve("b"), file), MOST))
        .hasSize(1);
  }

  @Test
  void saysWhatIsWrong() {
    var missing = folder.resolve("missing");
    assertThatThrownBy(() -> SmallInput.file(missing, MOST))
        .hasMessage(missing + " does not exist");
    assertThatThrownBy(() -> SmallInput.text("it", new byte[] {(byte) 0xFF}))
        .hasMessage("it is not text in UTF-8");
  }

  @Test
  void linesEndAsAnyoneEndsThem() throws IOException {
    assertThat(lines("a\nb\r\nc\rd\n\ne", 9)).containsExactly("a", "b", "c", "d", "", "e");
    assertThat(lines("", 9)).isEmpty();
    assertThat(lines("\n", 9)).containsExactly("");
    assertThat(lines("a\r\n", 9)).containsExactly("a");
    var text = "x".repeat(8191) + "\r\n" + "é".repeat(9000);
    assertThat(lines(text, 10_000)).isEqualTo(Arrays.asList(text.split("\r\n")));
  }

  @Test
  void aLineHasItsBound() throws IOException {
    assertThat(lines("abc\nabcd", 4)).hasSize(2);
    assertThatThrownBy(() -> lines("abc\nabcde", 4))
        .hasMessage("line 2 of it has more than 4 characters");
  }

  private static List<String> lines(String text, int longest) throws IOException {
    var lines = new Lines(new ByteArrayInputStream(text.getBytes(UTF_8)), "it", longest);
    var all = new ArrayList<String>();
    for (var line = lines.next(); line.isPresent(); line = lines.next()) {
      all.add(line.get());
    }
    assertThat(lines.number()).isEqualTo(all.size());
    return all;
  }
}
