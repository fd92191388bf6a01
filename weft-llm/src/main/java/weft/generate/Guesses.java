package weft.generate;

import java.util.List;
import java.util.stream.IntStream;

/**
 * How many guesses were fed and came true, by how deep in a draft they stood: the first of a list
 * is of the first tokens of drafts. A value, safe for all threads.
 */
public record Guesses(List<Long> drafted, List<Long> accepted) {
  public static final Guesses NONE = new Guesses(List.of(), List.of());

  public Guesses {
    drafted = List.copyOf(drafted);
    accepted = List.copyOf(accepted);
    if (drafted.size() != accepted.size()) {
      throw new GenerateException(
          "guesses of %d depths were fed and came true at %d"
              .formatted(drafted.size(), accepted.size()));
    }
  }

  /** One draft, of which the first {@code held} tokens came true. */
  static Guesses of(int drafted, int held) {
    return new Guesses(ones(drafted, drafted), ones(held, drafted));
  }

  private static List<Long> ones(int count, int size) {
    return IntStream.range(0, size).mapToObj(i -> i < count ? 1L : 0L).toList();
  }

  /** Both together. */
  public Guesses plus(Guesses more) {
    return new Guesses(sum(drafted, more.drafted), sum(accepted, more.accepted));
  }

  private static List<Long> sum(List<Long> one, List<Long> other) {
    return IntStream.range(0, Math.max(one.size(), other.size()))
        .mapToObj(i -> at(one, i) + at(other, i))
        .toList();
  }

  private static long at(List<Long> counts, int index) {
    return index < counts.size() ? counts.get(index) : 0;
  }

  /** All that were fed. */
  public long allDrafted() {
    return drafted.stream().mapToLong(count -> count).sum();
  }

  /** All that came true. */
  public long allAccepted() {
    return accepted.stream().mapToLong(count -> count).sum();
  }
}
