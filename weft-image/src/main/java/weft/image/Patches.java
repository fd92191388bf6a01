package weft.image;

import java.util.Arrays;

/**
 * A picture as a vision tower takes it: one row of floats for each patch.
 *
 * @param rows of patches, from the top
 * @param columns of patches, from the left
 * @param values of all patches, one after the other
 */
public record Patches(int rows, int columns, float[] values) {
  public int count() {
    return rows * columns;
  }

  /** The floats of a patch. */
  public int length() {
    return values.length / count();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Patches(int r, int c, float[] v)
        && r == rows
        && c == columns
        && Arrays.equals(v, values);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * rows + columns) + Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return "%d by %d patches of %d".formatted(rows, columns, length());
  }
}
