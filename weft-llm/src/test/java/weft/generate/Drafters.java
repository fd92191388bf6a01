package weft.generate;

import java.util.Arrays;
import java.util.Random;

/** Drafters for tests: one that knows the reply, and ones that are wrong at times. */
final class Drafters {
  private Drafters() {}

  /** Knows the whole text that will come, prompt included. */
  static Drafter knowing(int[] text) {
    return known ->
        max -> {
          int from = Math.min(known.length(), text.length);
          return Arrays.copyOfRange(text, from, Math.min(text.length, from + max));
        };
  }

  /** As another, but each token is wrong one time in {@code n}, and at times there is no draft. */
  static Drafter sloppy(Drafter other, int vocabularySize, int n, Random random) {
    return known -> {
      Drafting drafting = other.open(known);
      return max -> {
        int[] draft = drafting.propose(max);
        for (int i = 0; i < draft.length; i++) {
          if (random.nextInt(n) == 0) {
            draft[i] = random.nextInt(vocabularySize);
          }
        }
        return random.nextInt(5) == 0 ? new int[0] : draft;
      };
    };
  }
}
