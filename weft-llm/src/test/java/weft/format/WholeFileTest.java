package weft.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {
  @TempDir Path folder;

  private static void write(Path path, String text) {
    WholeFile.write(
        path, channel -> channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8))));
  }

  private static void refuses(Path path, String why) {
    assertThatExceptionOfType(FormatException.class)
        .isThrownBy(() -> write(path, "new"))
        .withMessageContainingAll(path.toString(), why);
  }

  @Test
  void replacesARegularFile() throws IOException {
    var file = Files.writeString(folder.resolve("file"), "old and longer");
    write(file, "new");
    assertThat(file).hasContent("new");
    assertThat(folder).isDirectoryContaining(file::equals);
    assertThat(folder.toFile().list()).containsExactly("file");
  }

  @Test
  void replacesNoFolder() {
    refuses(folder, "is a folder");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void replacesNoLinkWhateverItLeadsTo() throws IOException {
    var file = Files.writeString(folder.resolve("file"), "old");
    var link = Files.createSymbolicLink(folder.resolve("link"), file);
    var dangling = Files.createSymbolicLink(folder.resolve("dangling"), folder.resolve("none"));
    refuses(link, "is a link");
    refuses(dangling, "is a link");
    assertThat(file).hasContent("old");
    assertThat(folder.toFile().list()).containsExactlyInAnyOrder("file", "link", "dangling");
  }

  @Test
  void replacesNoDevice() throws IOException {
    var full = Path.of("/dev/full");
    assumeTrue(Files.exists(full), "only some systems have " + full);
    var before = Files.readAttributes(full, "unix:ino,rdev", LinkOption.NOFOLLOW_LINKS);
    refuses(full, "is a device, a pipe or a socket");
    assertThat(Files.readAttributes(full, "unix:ino,rdev", LinkOption.NOFOLLOW_LINKS))
        .isEqualTo(before);
  }

  @Test
  void aFailureLeavesWhatWasThere() throws IOException {
    var file = Files.writeString(folder.resolve("file"), "old");
    assertThatExceptionOfType(FormatException.class)
        .isThrownBy(
            () ->
                WholeFile.write(
                    file,
                    channel -> {
                      channel.write(ByteBuffer.allocate(9));
                      throw new IOException("No space left on device");
                    }))
        .withMessage(file + " cannot be written: No space left on device");
    assertThat(file).hasContent("old");
    assertThat(folder.toFile().list()).containsExactly("file");
  }

  @Test
  void saysThatAFolderIsMissing() {
    refuses(folder.resolve("none").resolve("file"), "its folder does not exist");
  }
}
