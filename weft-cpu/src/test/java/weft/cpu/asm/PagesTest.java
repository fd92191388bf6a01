package weft.cpu.asm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class PagesTest {
  private static final Path MAPS = Path.of("/proc/self/smaps");

  @Test
  void memoryIsZeroAtACacheLineAndDiesWithItsArena() {
    Hosts.assumeEmits();
    for (long bytes : new long[] {1, 4095, 64 << 10, (64 << 10) + 3, 1 << 20}) {
      var arena = Arena.ofShared();
      var memory = Pages.open().allocate(bytes, arena);
      assertThat(memory.byteSize()).isEqualTo(bytes);
      assertThat(memory.address() % 64).isZero();
      for (long i = 0; i < bytes; i++) {
        assertThat(memory.get(ValueLayout.JAVA_BYTE, i)).isZero();
      }
      memory.set(ValueLayout.JAVA_BYTE, bytes - 1, (byte) 7);
      arena.close();
      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(() -> memory.get(ValueLayout.JAVA_BYTE, 0));
    }
  }

  @Test
  void onlyWrittenPagesAreResident() throws IOException {
    Hosts.assumeEmits();
    try (var arena = Arena.ofShared()) {
      long bytes = 256L << 20;
      var memory = Pages.open().allocate(bytes, arena);
      for (long i = 0; i < 16; i++) memory.set(ValueLayout.JAVA_BYTE, i << 12, (byte) 1);
      // The system may have joined the mapping with a neighbour, or give pages of 2 MiB.
      assertThat(residentKib(memory.address())).isLessThan(bytes >> 10 >> 2);
    }
  }

  /** Whole pages are lent: what lies before the first and behind the last of them stays. */
  @Test
  void lentPagesGoWhenTheSystemWantsThemAndComeAgain() {
    Hosts.assumeEmits();
    var pages = Pages.open();
    for (long bytes : new long[] {64 << 10, (1 << 20) + 5, 32 << 20}) {
      try (var arena = Arena.ofShared()) {
        var memory = pages.allocate(bytes, arena);
        memory.fill((byte) 7);
        pages.pageOut(memory);
        assertThat(memory.get(ValueLayout.JAVA_BYTE, 0)).as("not lent").isEqualTo((byte) 7);
        pages.lend(memory);
        pages.pageOut(memory);
        long last = bytes / 4096 * 4096;
        assertThat(memory.asSlice(0, last).mismatch(arena.allocate(last))).isEqualTo(-1);
        for (long i = last; i < bytes; i++) {
          assertThat(memory.get(ValueLayout.JAVA_BYTE, i)).isEqualTo((byte) 7);
        }
        memory.fill((byte) 8);
        pages.pageOut(memory);
        assertThat(memory.get(ValueLayout.JAVA_BYTE, 0)).as("taken back").isEqualTo((byte) 8);
      }
    }
  }

  @Test
  void lendingLessThanAPageIsNothing() {
    Hosts.assumeEmits();
    try (var arena = Arena.ofShared()) {
      var memory = Pages.open().allocate(100, arena);
      memory.fill((byte) 7);
      Pages.open().lend(memory);
      assertThat(memory.get(ValueLayout.JAVA_BYTE, 99)).isEqualTo((byte) 7);
    }
  }

  /** What the mapping that holds an address has in memory. */
  private static long residentKib(long address) throws IOException {
    boolean isInside = false;
    for (var line : Files.readAllLines(MAPS)) {
      var bounds = line.split(" ")[0].split("-");
      if (bounds.length == 2) {
        isInside =
            Long.parseUnsignedLong(bounds[0], 16) <= address
                && address < Long.parseUnsignedLong(bounds[1], 16);
      } else if (isInside && line.startsWith("Rss:")) {
        return Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    throw new AssertionError("no mapping holds " + Long.toHexString(address));
  }
}
