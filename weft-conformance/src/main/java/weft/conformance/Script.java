package weft.conformance;

import java.util.Arrays;
import java.util.List;

/** The steps that a row runs: who feeds how many tokens, step after step. */
record Script(List<List<Feed>> steps) {
  /** The rows of one sequence in a step. */
  record Feed(int sequence, int rows) {}

  /** One token, few and many, alone and beside other sequences, from nothing and from a history. */
  static final Script LONG = of("d33", "a1", "a2", "a5 b33 c1", "a1 b1 c1", "b2 c5", "c1");

  /** Around the sizes by which a kernel may take many tokens at once, and one between. */
  static final Script CHUNKS = of("a31", "a1", "a32 b65", "a4 b1", "b130", "a3 b64");

  /** The same ideas where a row is expensive. */
  static final Script SHORT = of("a1", "a2", "a1 b5", "a1 b1");

  /** One row, the few that have kernels of their own, and many, where each row is long. */
  static final Script WIDE = of("a1", "a3", "a1 b17");

  private static Script of(String... steps) {
    return new Script(Arrays.stream(steps).map(Script::step).toList());
  }

  private static List<Feed> step(String text) {
    return Arrays.stream(text.split(" "))
        .map(feed -> new Feed(feed.charAt(0) - 'a', Integer.parseInt(feed.substring(1))))
        .toList();
  }

  int sequences() {
    return 1 + steps.stream().flatMap(List::stream).mapToInt(Feed::sequence).max().orElseThrow();
  }

  int largestStep() {
    return steps.stream().mapToInt(Script::rows).max().orElseThrow();
  }

  static int rows(List<Feed> step) {
    return step.stream().mapToInt(Feed::rows).sum();
  }
}
