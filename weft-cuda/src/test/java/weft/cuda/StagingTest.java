package weft.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import weft.cuda.interpret.InterpretedDriver;

class StagingTest {
  private final InterpretedDriver driver = new InterpretedDriver();

  /** As norms follow matrices of halves; one window, and one that is full again and again. */
  @Test
  void floatsFollowRowsOfAnyLength() {
    for (long bytes : List.of(1024L, 40L)) {
      long odd = driver.allocate(3 * 7);
      long reals = driver.allocate(5 * Float.BYTES);
      try (var staging = new Staging(driver, bytes, 5 * Float.BYTES)) {
        for (int turn = 0; turn < 3; turn++) {
          staging.send(3, 7, odd, StagingTest::number);
          var numbers = new float[] {turn, 2, 3, 4, 5};
          staging.send(
              1,
              5 * Float.BYTES,
              reals,
              (_, _, to) -> MemorySegment.copy(numbers, 0, to, JAVA_FLOAT, 0, 5));
        }
        staging.finish();
      }
      var rows = MemorySegment.ofArray(new byte[3 * 7]);
      driver.download(odd, rows);
      for (int i = 0; i < 3 * 7; i++) assertThat(rows.get(JAVA_BYTE, i)).isEqualTo((byte) (i / 7));
      var numbers = MemorySegment.ofArray(new float[5]);
      driver.download(reals, numbers);
      assertThat(numbers.toArray(JAVA_FLOAT)).containsExactly(2, 2, 3, 4, 5);
    }
  }

  private static void number(long first, long rows, MemorySegment to) {
    for (long i = 0; i < 7 * rows; i++) to.set(JAVA_BYTE, i, (byte) (first + i / 7));
  }
}
