package weft.load;

/**
 * The places of a picture's patches in the order that towers take them: squares from the left and
 * the top, and in each the same.
 *
 * @param rows of patches
 * @param columns of patches
 * @param merge patches of a square's side
 */
record Places(int rows, int columns, int merge) {
  int count() {
    return rows * columns;
  }

  int row(int patch) {
    int square = patch / (merge * merge);
    return square / (columns / merge) * merge + patch % (merge * merge) / merge;
  }

  int column(int patch) {
    int square = patch / (merge * merge);
    return square % (columns / merge) * merge + patch % merge;
  }

  /** The row and the column of each. */
  int[] positions() {
    var out = new int[2 * count()];
    for (int i = 0; i < count(); i++) {
      out[2 * i] = row(i);
      out[2 * i + 1] = column(i);
    }
    return out;
  }
}
