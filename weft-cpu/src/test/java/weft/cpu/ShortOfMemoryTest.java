package weft.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import weft.backend.MemorySource;
import weft.cpu.launch.SharedScratch;
import weft.cpu.team.Room;
import weft.cpu.team.Worker;

/** A system that refuses memory leaves nobody with memory that is gone. */
class ShortOfMemoryTest {
  private boolean isShort;

  private final MemorySource source =
      (bytes, arena) -> {
        if (isShort) throw new OutOfMemoryError("none left");
        return MemorySource.ARENA.allocate(bytes, arena);
      };

  @Test
  void roomThatCouldNotGrowIsNone() {
    try (var room = new Room(source)) {
      assertThat(room.reserve(100)).isTrue();
      assertThat(room.reserve(50)).isFalse();
      isShort = true;
      assertThatThrownBy(() -> room.reserve(200)).isInstanceOf(OutOfMemoryError.class);
      assertThat(room.memory()).isEqualTo(MemorySegment.NULL);
      assertThatThrownBy(() -> room.reserve(50)).isInstanceOf(OutOfMemoryError.class);
      isShort = false;
      assertThat(room.reserve(50)).isTrue();
      assertThat(room.memory().byteSize()).isGreaterThanOrEqualTo(50);
    }
  }

  @Test
  void sharedScratchThatCouldNotGrowHasMoved() {
    try (var scratch = new SharedScratch(source)) {
      scratch.reserve(100, 0, 0);
      int moves = scratch.moves();
      scratch.reserve(50, 0, 0);
      assertThat(scratch.moves()).isEqualTo(moves);
      isShort = true;
      assertThatThrownBy(() -> scratch.reserve(200, 0, 0)).isInstanceOf(OutOfMemoryError.class);
      assertThat(scratch.moves()).as("whoever kept its address must know").isGreaterThan(moves);
    }
  }

  @Test
  void aWorkersScratchIsNeverWhatWasGivenUp() {
    try (var worker = new Worker(0, 1, source)) {
      worker.nativeScratch(100);
      isShort = true;
      assertThatThrownBy(() -> worker.nativeScratch(1000)).isInstanceOf(OutOfMemoryError.class);
      isShort = false;
      var again = worker.nativeScratch(10);
      again.fill((byte) 1);
      assertThat(again.byteSize()).isGreaterThanOrEqualTo(10);
    }
  }
}
