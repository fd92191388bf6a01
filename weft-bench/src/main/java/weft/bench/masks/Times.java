package weft.bench.masks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;

/**
 * Times of many small things: a thread's own time on a core, so that what else the machine does is
 * no part of them. To ask for it takes about a microsecond, which is part.
 */
final class Times {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private long[] nanos = new long[1024];
  private int count;

  static long now() {
    return THREADS.getCurrentThreadCpuTime();
  }

  void add(long time) {
    if (count == nanos.length) nanos = Arrays.copyOf(nanos, 2 * count);
    nanos[count++] = time;
  }

  String summary() {
    var sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return "%d, average %.1f µs, median %.1f, 90%% %.1f, 99%% %.1f, 99.9%% %.1f, greatest %.1f"
        .formatted(
            count,
            Arrays.stream(sorted).average().orElse(0) / 1e3,
            quantile(sorted, 0.5),
            quantile(sorted, 0.9),
            quantile(sorted, 0.99),
            quantile(sorted, 0.999),
            quantile(sorted, 1));
  }

  private static double quantile(long[] sorted, double share) {
    if (sorted.length == 0) return 0;
    return sorted[(int) Math.min(sorted.length - 1, share * sorted.length)] / 1e3;
  }
}
