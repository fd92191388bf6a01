package weft.conformance;

import java.util.Optional;

/** The worst place where two results differ by more than they may. */
record Difference(int row, int column, float expected, float got, float tolerance) {
  static Optional<Difference> between(float[][] expected, float[][] got, Exactness exactness) {
    float largest = 0;
    for (var row : expected) for (float x : row) largest = Math.max(largest, Math.abs(x));
    float tolerance = exactness.tolerance(largest);
    Optional<Difference> worst = Optional.empty();
    float distance = 0;
    for (int row = 0; row < expected.length; row++) {
      for (int column = 0; column < expected[row].length; column++) {
        float apart = Math.abs(expected[row][column] - got[row][column]);
        // Written so that a NaN on either side is a difference.
        if (!(apart <= tolerance) && !(apart <= distance)) {
          distance = apart;
          worst =
              Optional.of(
                  new Difference(row, column, expected[row][column], got[row][column], tolerance));
        }
      }
    }
    return worst;
  }

  @Override
  public String toString() {
    return "row "
        + row
        + " column "
        + column
        + " is "
        + got
        + ", expected "
        + expected
        + " within "
        + tolerance;
  }
}
