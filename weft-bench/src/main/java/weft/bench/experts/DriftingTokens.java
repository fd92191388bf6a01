package weft.bench.experts;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A text whose tokens are few at a time, some of them more frequent than others (Zipf's law), and
 * slowly replaced.
 */
final class DriftingTokens {
  private final Random random;
  private final int vocabulary;
  private final double exponent;
  private final int replacedEvery;
  private final List<Integer> ranked = new ArrayList<>();
  private int drawn;

  /**
   * @param atOnce tokens that are drawn from
   * @param exponent of Zipf's law
   * @param replacedEvery so many draws another token comes among them
   */
  DriftingTokens(long seed, int vocabulary, int atOnce, double exponent, int replacedEvery) {
    this.random = new Random(seed);
    this.vocabulary = vocabulary;
    this.exponent = exponent;
    this.replacedEvery = replacedEvery;
    for (int i = 0; i < atOnce; i++) ranked.add(random.nextInt(vocabulary));
  }

  int next() {
    if (++drawn % replacedEvery == 0) {
      ranked.add(random.nextInt(ranked.size()), random.nextInt(vocabulary));
      ranked.removeLast();
    }
    double total = 0;
    for (int rank = 1; rank <= ranked.size(); rank++) total += Math.pow(rank, -exponent);
    double left = random.nextDouble() * total;
    for (int rank = 1; rank <= ranked.size(); rank++) {
      left -= Math.pow(rank, -exponent);
      if (left <= 0) return ranked.get(rank - 1);
    }
    return ranked.getLast();
  }
}
