package weft.cli;

import java.util.ArrayList;

/** How fast this machine reads memory: what limits the speed of replies. */
final class ReadBandwidth {
  /** Far more than caches hold. */
  private static final int BYTES = 256 << 20;

  private static final int PASSES = 5;

  private ReadBandwidth() {}

  /** Bytes a second that so many threads read together, in the best of a few passes. */
  static double measure(int threads) {
    var data = new long[threads][BYTES / Long.BYTES / threads];
    double best = 0;
    for (int pass = 0; pass < PASSES; pass++) {
      long start = System.nanoTime();
      long sum = together(data);
      double seconds = (System.nanoTime() - start) / 1e9;
      // The sum is zero; looking at it keeps the reads.
      if (sum != 0) throw new AssertionError("zeros sum to " + sum);
      best = Math.max(best, (double) threads * Long.BYTES * data[0].length / seconds);
    }
    return best;
  }

  private static long together(long[][] data) {
    var sums = new long[data.length];
    var threads = new ArrayList<Thread>();
    for (int i = 1; i < data.length; i++) {
      int index = i;
      threads.add(Thread.ofPlatform().start(() -> sums[index] = sum(data[index])));
    }
    sums[0] = sum(data[0]);
    for (var thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return sum(sums);
  }

  private static long sum(long[] values) {
    long sum = 0;
    for (long value : values) sum += value;
    return sum;
  }
}
