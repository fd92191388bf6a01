package weft.cli;

import java.util.List;

/** What options take; anything else is wrong usage, and the sentence names what is right. */
final class Ranges {
  private Ranges() {}

  static void require(String option, int value, int least, int most) {
    if (value < least) {
      throw new UsageException(option + " must be at least " + least + ", got " + value);
    }
    if (value > most) {
      throw new UsageException(option + " must be at most " + most + ", got " + value);
    }
  }

  static void require(String option, List<Integer> values, int least, int most) {
    for (int value : values) require(option, value, least, most);
  }

  /** {@code kind} is what the option names one of. */
  static void requireOneOf(String option, String kind, String name, List<String> names) {
    if (!names.contains(name)) {
      throw new UsageException(
          "%s: no %s is called %s; there are %s".formatted(option, kind, name, names));
    }
  }
}
