package weft.cpu.asm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class NearCacheTest {
  private static final Path CACHES = Path.of("/sys/devices/system/cpu/cpu0/cache");

  @Test
  void isAsLargeAsTheKernelSays() throws IOException {
    Hosts.assumeEmits();
    assumeTrue(Files.isDirectory(CACHES), "SKIPPED: Linux does not list caches here");
    assertThat(NearCache.bytes()).isEqualTo(listed());
  }

  private static long listed() throws IOException {
    try (var caches = Files.newDirectoryStream(CACHES, "index*")) {
      for (var cache : caches) {
        boolean isNear = read(cache, "level").equals("1");
        if (isNear && !read(cache, "type").equals("Instruction")) {
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
