package weft.backend;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HostRowTest {
  private static HostRow row(float... values) {
    MemorySegment memory = Arena.ofAuto().allocateFrom(ValueLayout.JAVA_FLOAT, values);
    return new HostRow(memory, values.length);
  }

  @Test
  void findsTheGreatestTheLowestIndexFirstAmongEquals() {
    var random = new Random(5);
    for (int trial = 0; trial < 500; trial++) {
      var values = new float[1 + random.nextInt(700)];
      for (int i = 0; i < values.length; i++) values[i] = random.nextInt(1 + trial);
      var order =
          IntStream.range(0, values.length)
              .boxed()
              .sorted(Comparator.<Integer>comparingDouble(i -> -values[i]).thenComparing(i -> i))
              .toList();
      int count = 1 + random.nextInt(values.length + 2);
      var indexes = new int[count];
      var found = new float[count];
      int n = row(values).greatest(count, indexes, found);
      assertThat(n).isEqualTo(Math.min(count, values.length));
      for (int i = 0; i < n; i++) {
        assertThat(indexes[i]).isEqualTo(order.get(i));
        assertThat(found[i]).isEqualTo(values[indexes[i]]);
      }
    }
  }

  @Test
  void whatIsNoNumberIsNoticedAndNeverTheGreatest() {
    for (float bad : new float[] {Float.NaN, Float.NEGATIVE_INFINITY}) {
      for (int size : new int[] {3, 64, 65, 300}) {
        var values = new float[size];
        Arrays.fill(values, 1);
        assertThat(row(values).isFinite()).isTrue();
        values[size - 1] = bad;
        values[size - 2] = 2;
        var indexes = new int[size];
        var row = row(values);
        assertThat(row.isFinite()).isFalse();
        assertThat(row.greatest(size, indexes, new float[size])).isEqualTo(size - 1);
        assertThat(indexes[0]).isEqualTo(size - 2);
        assertThat(indexes).startsWith(size - 2, 0).doesNotContain(size - 1);
      }
    }
  }

  @Test
  void peaksThatWereFoundElsewhereSayWhereToLook() {
    var values = new float[200];
    values[130] = 7;
    values[131] = 7;
    values[3] = 6;
    var indexes = new int[2];
    var row = row(values).withPeaks(new float[] {6, 0, 7, 0});
    assertThat(row.greatest(2, indexes, new float[2])).isEqualTo(2);
    assertThat(indexes).containsExactly(130, 131);
    assertThat(row.withPeaks(new float[] {6, 0, Float.NaN, 0}).isFinite()).isFalse();
  }
}
