package weft.cpu.asm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CoreCacheTest {
  private static final Path CACHES = Path.of("/sys/devices/system/cpu/cpu0/cache");

  @ParameterizedTest
  @EnumSource
  void isAsLargeAsTheKernelSays(CoreCache cache) throws IOException {
    Hosts.assumeEmits();
    assumeTrue(Files.isDirectory(CACHES), "SKIPPED: Linux does not list caches here");
    assertThat(cache.bytes()).isEqualTo(listed(cache.ordinal() + 1));
  }

  private static long listed(int level) throws IOException {
    try (var caches = Files.newDirectoryStream(CACHES, "index*")) {
      for (var cache : caches) {
        boolean isThis = read(cache, "level").equals(Integer.toString(level));
        if (isThis && !read(cache, "type").equals("Instruction")) {
          return 1024 * Long.parseLong(read(cache, "size").replace("K", ""));
        }
      }
    }
    return 0;
  }

  private static String read(Path cache, String name) throws IOException {
    return Files.readString(cache.resolve(name)).strip();
  }
}
