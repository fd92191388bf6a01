package weft.cli;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Rows whose columns line up: texts to the left, numbers to the right. */
final class Table {
  private static final String GAP = "  ";

  private final BitSet right = new BitSet();
  private final List<List<String>> rows = new ArrayList<>();

  private final boolean hasTitles;

  Table(String... titles) {
    this.hasTitles = titles.length > 0;
    if (hasTitles) rows.add(List.of(titles));
  }

  boolean isEmpty() {
    return rows.size() == (hasTitles ? 1 : 0);
  }

  /** These columns hold numbers. */
  Table right(int... columns) {
    for (int column : columns) right.set(column);
    return this;
  }

  Table row(Object... cells) {
    var row = new ArrayList<String>();
    for (var cell : cells) row.add(cell.toString());
    rows.add(row);
    return this;
  }

  void print(Output out) {
    var text = new StringBuilder();
    var widths = new int[rows.stream().mapToInt(List::size).max().orElse(0)];
    for (var row : rows) {
      for (int i = 0; i < row.size(); i++) {
        widths[i] = Math.max(widths[i], row.get(i).codePointCount(0, row.get(i).length()));
      }
    }
    for (var row : rows) {
      var line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        var cell = row.get(i);
        var padding = " ".repeat(widths[i] - cell.codePointCount(0, cell.length()));
        line.append(i == 0 ? "" : GAP);
        line.append(right.get(i) ? padding + cell : cell + padding);
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    out.print(text.toString());
  }
}
