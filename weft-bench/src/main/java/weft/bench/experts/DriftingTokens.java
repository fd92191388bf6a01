package weft.bench.experts;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A text whose tokens are few at a time, some of them much more frequent than others (Zipf's law),
 * and slowly replaced. The numbers are chosen so that recency alone finds what users of llama.cpp
 * have counted in routing (67% at an eighth of a layer's experts, 81% at a quarter).
 */
final class DriftingTokens {
  private static final int AT_ONCE = 32;
  private static final double EXPONENT = 2;
  private static final int REPLACED_EVERY = 8;

  private final Random random;
  private final int vocabulary;
  private final List<Integer> ranked = new ArrayList<>();
  private int drawn;

  DriftingTokens(long seed, int vocabulary) {
    this.random = new Random(seed);
    this.vocabulary = vocabulary;
    for (int i = 0; i < AT_ONCE; i++) ranked.add(random.nextInt(vocabulary));
  }

  int next() {
    if (++drawn % REPLACED_EVERY == 0) {
      ranked.add(random.nextInt(AT_ONCE), random.nextInt(vocabulary));
      ranked.removeLast();
    }
    double total = 0;
    for (int rank = 1; rank <= AT_ONCE; rank++) total += Math.pow(rank, -EXPONENT);
    double left = random.nextDouble() * total;
    for (int rank = 1; rank <= AT_ONCE; rank++) {
      left -= Math.pow(rank, -EXPONENT);
      if (left <= 0) return ranked.get(rank - 1);
    }
    return ranked.getLast();
  }
}
