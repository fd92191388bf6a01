package weft.bench.fuzz;

import java.util.Arrays;

/** Makes an input shorter and plainer while it shows the same fault. */
final class Minimizer {
  private static final byte PLAIN = 'a';

  private final Target target;
  private final String key;
  private final long deadline;

  private Minimizer(Target target, String key, long deadline) {
    this.target = target;
    this.key = key;
    this.deadline = deadline;
  }

  /** The smallest input with the same key that was found in so many milliseconds. */
  static byte[] smallest(Target target, String key, byte[] input, long milliseconds) {
    var minimizer = new Minimizer(target, key, System.nanoTime() + milliseconds * 1_000_000);
    byte[] best = input;
    for (int length = -1; length != best.length && !minimizer.isLate(); ) {
      length = best.length;
      best = minimizer.plainer(minimizer.shorter(best));
    }
    return best;
  }

  private byte[] shorter(byte[] input) {
    byte[] best = input;
    for (int piece = Math.max(1, best.length / 2); piece > 0; piece /= 2) {
      for (int at = 0; at + piece <= best.length && !isLate(); ) {
        byte[] without = without(best, at, piece);
        if (isSame(without)) best = without;
        else at += piece;
      }
    }
    return best;
  }

  private byte[] plainer(byte[] input) {
    byte[] best = input;
    for (int at = 0; at < best.length && !isLate(); at++) {
      if (best[at] == PLAIN) continue;
      byte[] plain = best.clone();
      plain[at] = PLAIN;
      if (isSame(plain)) best = plain;
    }
    return best;
  }

  private boolean isSame(byte[] input) {
    return Execution.finding(target, input).filter(found -> found.key().equals(key)).isPresent();
  }

  private boolean isLate() {
    return System.nanoTime() - deadline > 0;
  }

  private static byte[] without(byte[] bytes, int from, int count) {
    byte[] out = Arrays.copyOf(bytes, bytes.length - count);
    System.arraycopy(bytes, from + count, out, from, out.length - from);
    return out;
  }
}
