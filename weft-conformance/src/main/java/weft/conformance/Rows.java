package weft.conformance;

import java.util.List;
import java.util.stream.Stream;

/** All rows of the kit. A new op adds a row to the list it belongs to. */
final class Rows {
  private Rows() {}

  static List<Row> all() {
    return Stream.of(
            ElementwiseRows.all(),
            NormRows.all(),
            ProjectionRows.all(),
            WideRows.all(),
            ExpertRows.all(),
            MovementRows.all(),
            InputRows.all(),
            AttentionRows.all(),
            RecurrenceRows.all())
        .flatMap(List::stream)
        .toList();
  }
}
