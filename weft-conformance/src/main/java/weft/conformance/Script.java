package weft.conformance;

import java.util.Arrays;
import java.util.List;
import weft.backend.Step;

/** The steps that a row runs: who feeds how many tokens, step after step. */
record Script(List<List<Feed>> steps) {
  /** The rows of one sequence in a step, and those of them that see each other. */
  record Feed(int sequence, int rows, List<Step.Block> blocks) {}

  /** One token, few and many, alone and beside other sequences, from nothing and from a history. */
  static final Script LONG = of("d33", "a1", "a2", "a5 b33 c1", "a1 b1 c1", "b2 c5", "c1");

  /** Around the sizes by which a kernel may take many tokens at once, and one between. */
  static final Script CHUNKS = of("a31", "a1", "a32 b65", "a4 b1", "b130", "a3 b64");

  /** The same ideas where a row is expensive. */
  static final Script SHORT = of("a1", "a2", "a1 b5", "a1 b1");

  /** One row, the few that have kernels of their own, and many, where each row is long. */
  static final Script WIDE = of("a1", "a3", "a1 b17");

  /** So many rows that it may pay to make something else of the weights first. */
  static final Script MANY = of("a70", "a3 b130", "a257");

  /**
   * Rows that see each other: all of a step, some in its middle, few and many, behind a history.
   */
  static final Script BLOCKS =
      of("a2", "a9:2-7", "b130:0-130", "a1 b20:3-4,5-17", "b70:1-69", "a5:0-5 b3", "a1 b1");

  private static Script of(String... steps) {
    return new Script(Arrays.stream(steps).map(Script::step).toList());
  }

  private static List<Feed> step(String text) {
    return Arrays.stream(text.split(" ")).map(Script::feed).toList();
  }

  private static Feed feed(String text) {
    var parts = text.substring(1).split(":");
    var blocks = parts.length == 1 ? new String[0] : parts[1].split(",");
    return new Feed(
        text.charAt(0) - 'a',
        Integer.parseInt(parts[0]),
        Arrays.stream(blocks).map(Script::block).toList());
  }

  private static Step.Block block(String text) {
    var ends = text.split("-");
    return new Step.Block(Integer.parseInt(ends[0]), Integer.parseInt(ends[1]));
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
