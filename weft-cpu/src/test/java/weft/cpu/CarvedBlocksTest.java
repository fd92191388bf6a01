package weft.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import weft.backend.HostBlock;
import weft.cpu.asm.Hosts;
import weft.cpu.asm.Pages;

/** Blocks that share large pages share nothing else. */
class CarvedBlocksTest {
  private static Pages pages() {
    Hosts.assumeEmits();
    return Pages.open();
  }

  @Test
  void blocksOfAllSizesLieApartWhateverWasFreedBetween() {
    var random = new Random(1);
    var sizes = List.of(64L, 16L << 10, 69_632L, 69_700L, 131_072L, 512L << 10, 3L << 20);
    try (var blocks = new CarvedBlocks(pages())) {
      var held = new ArrayList<HostBlock>();
      var marks = new ArrayList<Byte>();
      for (int i = 0; i < 600; i++) {
        if (held.size() > 60 || !held.isEmpty() && random.nextInt(3) == 0) {
          int gone = random.nextInt(held.size());
          requireOnly(held.get(gone), marks.get(gone));
          held.remove(gone).free();
          marks.remove(gone);
        }
        var block = blocks.allocate(sizes.get(random.nextInt(sizes.size())));
        assertThat(block.memory().address() % 64).isZero();
        block.memory().fill((byte) i);
        held.add(block);
        marks.add((byte) i);
      }
      for (int i = 0; i < held.size(); i++) requireOnly(held.get(i), marks.get(i));
      held.forEach(HostBlock::free);
    }
  }

  private static void requireOnly(HostBlock block, byte mark) {
    var expected = new byte[(int) block.bytes()];
    Arrays.fill(expected, mark);
    assertThat(block.memory().mismatch(MemorySegment.ofArray(expected))).isEqualTo(-1);
  }

  @Test
  void whatNobodyUsesIsGivenBackButForOneLargePageOfASize() throws IOException {
    var blocks = new CarvedBlocks(pages());
    var held = new ArrayList<HostBlock>();
    for (int i = 0; i < 64; i++) held.add(blocks.allocate(256 << 10));
    var before = mapped(held);
    assertThat(before).hasSize(8);
    for (var block : held.subList(1, 64)) block.free();
    assertThat(mapped(held)).hasSize(1);
    blocks.close();
    assertThat(mapped(held)).as("one block is still in use").hasSize(1);
    held.getFirst().free();
    assertThat(mapped(held)).isEmpty();
  }

  /** The large pages of these blocks that the process has mapped. */
  private static HashSet<Long> mapped(List<HostBlock> blocks) throws IOException {
    var found = new HashSet<Long>();
    for (var line : Files.readAllLines(Path.of("/proc/self/maps"))) {
      var bounds = line.split(" ")[0].split("-");
      long from = Long.parseUnsignedLong(bounds[0], 16);
      long to = Long.parseUnsignedLong(bounds[1], 16);
      for (var block : blocks) {
        long at = block.memory().address();
        if (from <= at && at < to) found.add(at / Pages.LARGE);
      }
    }
    return found;
  }
}
