package weft.generate;

import java.util.List;
import java.util.Objects;

/**
 * What a model sees of a picture: rows of numbers that stand in a text where tokens would. In a
 * list of tokens each of its rows is {@link #id()}, which no token has and no other picture. Made
 * by a {@link Gallery}. A value, safe for all threads as long as nobody writes to its rows.
 */
public final class Seen {
  /** How the rows of a picture lie in a text. */
  public enum Manner {
    /** As tokens that follow each other; their positions go by frames, down and across. */
    GRID,

    /** As one block whose rows all attend to each other; their positions go as those of tokens. */
    BLOCK
  }

  /** How many rows there are in time, down and across. */
  public record Grid(int frames, int height, int width) {
    public Grid {
      boolean isSound = frames > 0 && height > 0 && width > 0;
      if (!isSound || Math.multiplyFull(height, width) > Integer.MAX_VALUE / frames) {
        throw new GenerateException(
            "a picture has 1 or more rows in time, down and across, got %d, %d and %d"
                .formatted(frames, height, width));
      }
    }

    public int rows() {
      return frames * height * width;
    }
  }

  /**
   * The rows themselves.
   *
   * @param features all rows behind each other
   * @param deep what is added to the rows behind each of the model's first layers, as many numbers
   */
  public record Rows(float[] features, List<float[]> deep) {
    public Rows {
      deep = List.copyOf(deep);
      for (float[] each : deep) {
        if (each.length != features.length) {
          throw new GenerateException(
              "a picture of %d numbers has as many for each deeper layer, got %d"
                  .formatted(features.length, each.length));
        }
      }
    }
  }

  private final Gallery gallery;
  private final int id;
  private final Grid grid;
  private final Rows rows;
  private final Manner manner;

  Seen(Gallery gallery, int id, Grid grid, Rows rows, Manner manner) {
    this.gallery = gallery;
    this.id = id;
    this.grid = Objects.requireNonNull(grid, "grid");
    this.rows = Objects.requireNonNull(rows, "rows");
    this.manner = Objects.requireNonNull(manner, "manner");
    if (rows.features.length == 0 || rows.features.length % grid.rows() != 0) {
      throw new GenerateException(
          "%d numbers cannot be %d rows of one length"
              .formatted(rows.features.length, grid.rows()));
    }
  }

  /** Whose it is: ids mean something within one gallery alone. */
  public boolean isOf(Gallery other) {
    return gallery == other;
  }

  /** Below zero; the same for the same content, and for no other. */
  public int id() {
    return id;
  }

  public Grid grid() {
    return grid;
  }

  public Manner manner() {
    return manner;
  }

  /** How many tokens' places it takes. */
  public int count() {
    return grid.rows();
  }

  /** How many numbers a row has. */
  public int width() {
    return rows.features.length / count();
  }

  public Rows rows() {
    return rows;
  }

  /** By how many positions what follows it is farther than what comes before it. */
  public int span() {
    return switch (manner) {
      case GRID -> Math.max(grid.frames, Math.max(grid.height, grid.width));
      case BLOCK -> count();
    };
  }

  /** How far a row is from the picture's beginning, in time (0), down (1) and across (2). */
  public int offset(int row, int section) {
    Objects.checkIndex(row, count());
    return switch (manner) {
      case GRID ->
          switch (Objects.checkIndex(section, 3)) {
            case 0 -> row / (grid.height * grid.width);
            case 1 -> row / grid.width % grid.height;
            default -> row % grid.width;
          };
      case BLOCK -> row;
    };
  }

  @Override
  public String toString() {
    return "a picture of %d by %d by %d rows".formatted(grid.frames, grid.height, grid.width);
  }
}
