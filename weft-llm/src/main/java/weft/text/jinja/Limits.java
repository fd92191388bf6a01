package weft.text.jinja;

import java.time.Duration;

/**
 * What one rendering may use: statements and iterations, nesting levels, bytes of text and
 * collections built in all, output characters, and wall time.
 */
public record Limits(long steps, int depth, long memory, long output, Duration time) {

  /**
   * Generous for any real conversation, and over within two seconds and some hundred megabytes for
   * a hostile template.
   */
  public static final Limits DEFAULT =
      new Limits(10_000_000L, 2_000, 256L << 20, 64L << 20, Duration.ofMillis(1_500));

  public Limits {
    if (steps <= 0 || depth <= 0 || memory <= 0 || output <= 0 || !time.isPositive()) {
      throw new IllegalArgumentException(
          "template limits must be positive, got steps=%d depth=%d memory=%d output=%d time=%s"
              .formatted(steps, depth, memory, output, time));
    }
  }

  /**
   * These limits with room for {@code bytes} more, so that a long conversation may be copied a few
   * times.
   */
  Limits widenedBy(long bytes) {
    return new Limits(steps, depth, memory + bytes, output, time);
  }
}
