package weft.text.jinja;

import java.time.Duration;

/**
 * What one rendering may use: statements and iterations, nesting levels, bytes of text and
 * collections built in all, characters in any one text such as the output, and wall time.
 */
public record Limits(long steps, int depth, long memory, long text, Duration time) {

  /** Generous for any real conversation; a hostile template is over in a second and 200 MB. */
  public static final Limits DEFAULT =
      new Limits(10_000_000L, 2_000, 128L << 20, 8L << 20, Duration.ofSeconds(1));

  /** Variables may be copied this often before their copies count against the template. */
  private static final int COPIES = 32;

  public Limits {
    if (steps <= 0 || depth <= 0 || memory <= 0 || text <= 0 || !time.isPositive()) {
      throw new IllegalArgumentException(
          "template limits must be positive, got steps=%d depth=%d memory=%d text=%d time=%s"
              .formatted(steps, depth, memory, text, time));
    }
  }

  /**
   * These limits for variables of {@code bytes}, since a long conversation takes more of everything
   * but depth.
   */
  Limits widenedBy(long bytes) {
    return new Limits(steps + bytes, depth, memory + COPIES * bytes, text + bytes, time);
  }
}
