package weft.generate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BestTest {
  @Test
  void selectsAsAFullSortWould() {
    var random = new Random(5);
    for (int trial = 0; trial < 2_000; trial++) {
      float[] keys = new float[1 + random.nextInt(60)];
      int distinct = 1 + random.nextInt(20); // few values make many ties
      for (int i = 0; i < keys.length; i++) {
        int value = random.nextInt(distinct);
        keys[i] = value == 0 ? Float.NEGATIVE_INFINITY : value - 10f;
      }
      int count = 1 + random.nextInt(keys.length);
      int k = random.nextInt(count + 1);
      int[] expected =
          IntStream.range(0, count)
              .filter(i -> keys[i] > Float.NEGATIVE_INFINITY)
              .boxed()
              .sorted(Comparator.<Integer>comparingDouble(i -> -keys[i]).thenComparingInt(i -> i))
              .limit(k)
              .mapToInt(i -> i)
              .toArray();
      int[] into = new int[keys.length];
      int found = Best.select(keys, count, k, into);
      assertThat(Arrays.copyOf(into, found)).isEqualTo(expected);
    }
  }
}
