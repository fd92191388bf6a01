package weft.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import weft.generate.Album;
import weft.generate.Seen;

/**
 * Where the text of a session has pictures, and which positions its rows have therefore: those of a
 * picture go by frames, down and across, and what follows goes on behind the farthest of them.
 * Belongs to its session.
 */
final class Insets {
  /** A row of a picture, by how many there are before it. */
  record Row(Seen seen, int index) {}

  /** Rows that are fed at once, from one to before another. */
  record Block(int from, int to) {}

  /** A picture, and the row of the text that its first is. */
  private record Inset(int from, Seen seen) {
    private int to() {
      return from + seen.count();
    }
  }

  private final List<Inset> all;

  Insets() {
    this(List.of());
  }

  private Insets(List<Inset> all) {
    this.all = new ArrayList<>(all);
  }

  /** Those of the text before a row. */
  Insets before(int row) {
    var kept = new Insets(all);
    kept.truncate(row);
    return kept;
  }

  void truncate(int row) {
    while (!all.isEmpty() && all.getLast().from >= row) all.removeLast();
  }

  /** Notes the pictures among tokens that are the text's from {@code row} on. */
  void add(int row, int[] tokens, Album album) {
    truncate(row);
    for (int i = 0; i < tokens.length; i++) {
      boolean isWithin = !all.isEmpty() && row + i < all.getLast().to();
      if (isWithin && tokens[i] != all.getLast().seen.id()) {
        throw new LoadException(
            "%s goes on at row %d of the text, but token %d is there"
                .formatted(all.getLast().seen, row + i, tokens[i]));
      }
      if (!isWithin && Album.isRow(tokens[i])) all.add(new Inset(row + i, album.at(tokens[i])));
    }
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  /** What a row of the text is of a picture; none where it is a token. */
  Optional<Row> at(int row) {
    return around(row).map(inset -> new Row(inset.seen, row - inset.from));
  }

  private Optional<Inset> around(int row) {
    for (int i = all.size() - 1; i >= 0; i--) {
      var inset = all.get(i);
      if (row >= inset.to()) return Optional.empty();
      if (row >= inset.from) return Optional.of(inset);
    }
    return Optional.empty();
  }

  /** A row's position in time (0), down (1) or across (2); that of a token is the same in all. */
  int position(int row, int section) {
    int position = row;
    for (var inset : all) {
      if (row < inset.from) break;
      position +=
          row < inset.to()
              ? inset.seen.offset(row - inset.from, section) - (row - inset.from)
              : inset.seen.span() - inset.seen.count();
    }
    return position;
  }

  /** The nearest row, not after this one, before which a session can stop: not within a block. */
  int stop(int row) {
    return block(row).map(Block::from).orElse(row);
  }

  /** The block that a cut before this row would divide. */
  Optional<Block> block(int row) {
    return around(row)
        .filter(inset -> inset.seen.manner() == Seen.Manner.BLOCK && inset.from < row)
        .map(inset -> new Block(inset.from, inset.to()));
  }

  /** The blocks among so many rows of the text, counted from the first of those. */
  List<Block> blocks(int row, int rows) {
    if (all.isEmpty()) return List.of();
    return all.stream()
        .filter(inset -> inset.seen.manner() == Seen.Manner.BLOCK)
        .filter(inset -> inset.from >= row && inset.from < row + rows)
        .map(inset -> new Block(inset.from - row, inset.to() - row))
        .toList();
  }
}
