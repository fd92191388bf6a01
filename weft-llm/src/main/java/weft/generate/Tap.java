package weft.generate;

import java.util.Objects;

/**
 * Where the rows go that a step's tokens have at a named point of the model ({@link
 * Model#points()}). Its receiver is called by the thread that runs the model.
 */
public record Tap(String point, Rows to) {
  /** Nobody looks. */
  public static final Tap NONE = new Tap("", (row, values) -> {});

  public Tap {
    Objects.requireNonNull(point, "point");
    Objects.requireNonNull(to, "to");
  }

  /** Gets each row, oldest first and counted from the step's first token; the array is its own. */
  @FunctionalInterface
  public interface Rows {
    void row(int row, float[] values);
  }

  public boolean isNone() {
    return point.isEmpty();
  }
}
