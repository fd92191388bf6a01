package weft.load;

import weft.backend.Weights;

/**
 * What a tower learned of places, brought to the size of a picture: between the rows of the table
 * that a place lies among, each counts by how near it is.
 */
record PlaceTable(Weights.Tensor table, int side) {
  static PlaceTable of(Weights.Tensor table) {
    int side = (int) Math.round(Math.sqrt(table.rows()));
    if ((long) side * side != table.rows()) {
      throw new LoadException(
          "%s has %d rows, expected as many across as down".formatted(table.name(), table.rows()));
    }
    return new PlaceTable(table, side);
  }

  /** A row for each place of so many by so many, in their order. */
  float[] rows(Places places) {
    int width = table.columns();
    var learned = table.decode();
    var out = new float[places.count() * width];
    for (int i = 0; i < places.count(); i++) {
      float down = along(places.row(i), places.rows());
      float across = along(places.column(i), places.columns());
      int top = (int) down;
      int left = (int) across;
      float low = down - top;
      float right = across - left;
      int below = Math.min(top + 1, side - 1);
      int beside = Math.min(left + 1, side - 1);
      for (int c = 0; c < width; c++) {
        out[i * width + c] =
            (1 - low) * (1 - right) * learned[(top * side + left) * width + c]
                + (1 - low) * right * learned[(top * side + beside) * width + c]
                + low * (1 - right) * learned[(below * side + left) * width + c]
                + low * right * learned[(below * side + beside) * width + c];
      }
    }
    return out;
  }

  /** Where in the table a place of a line of so many is: its ends are the table's. */
  private float along(int place, int places) {
    return places == 1 ? 0 : (float) ((double) place * (side - 1) / (places - 1));
  }
}
