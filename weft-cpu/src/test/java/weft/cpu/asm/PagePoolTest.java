package weft.cpu.asm;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class PagePoolTest {
  private static final long MIB = 1 << 20;

  @BeforeEach
  void pagesAreMappedHere() {
    Hosts.assumeEmits();
  }

  @Test
  void whatOneGivesBackTheNextTakes() {
    try (var pool = new PagePool()) {
      long address = written(pool, 2 * MIB);
      assertThat(written(pool, 2 * MIB)).isEqualTo(address);
      assertThat(written(pool, MIB + 1)).isEqualTo(address);
    }
  }

  @Test
  void aBlockGoesToOneUserAtATime() {
    try (var pool = new PagePool();
        var arena = Arena.ofShared()) {
      var first = pool.allocate(MIB, arena);
      var second = pool.allocate(MIB, arena);
      assertThat(first.asOverlappingSlice(second)).isEmpty();
    }
  }

  @Test
  void smallWantsLeaveLargeBlocksAlone() {
    try (var pool = new PagePool()) {
      long address = written(pool, 4 * MIB);
      assertThat(written(pool, MIB)).isNotEqualTo(address);
      assertThat(written(pool, 4 * MIB)).isEqualTo(address);
    }
  }

  @Test
  void moreThanTheLimitIsNotKept() {
    try (var pool = new PagePool()) {
      long large = PagePool.MOST_KEPT + MIB;
      MemorySegment memory;
      try (var arena = Arena.ofShared()) {
        memory = pool.allocate(large, arena);
      }
      assertThat(memory.scope().isAlive()).isFalse();
      // Nothing is left to take from: the next is a mapping of its own, which is zero.
      try (var arena = Arena.ofShared()) {
        assertThat(pool.allocate(large, arena).get(ValueLayout.JAVA_LONG, MIB)).isZero();
      }
    }
  }

  @Test
  void memoryOutlivesThePool() {
    try (var arena = Arena.ofShared()) {
      MemorySegment memory;
      try (var pool = new PagePool()) {
        memory = pool.allocate(MIB, arena);
      }
      memory.set(ValueLayout.JAVA_LONG, 0, 7);
      assertThat(memory.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(7);
    }
  }

  /** The address of a block that was written and given back. */
  private static long written(PagePool pool, long bytes) {
    try (var arena = Arena.ofShared()) {
      return pool.allocate(bytes, arena).fill((byte) 1).address();
    }
  }
}
