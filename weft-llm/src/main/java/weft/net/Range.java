package weft.net;

/**
 * The numbers that a key of a checkpoint may have, both ends included. They are far beyond any
 * model there is, and small enough that what is computed of two of them fits an int.
 */
public record Range(double least, double most) {
  /** Each layer is some forty ops, which every pass looks at. */
  static final int MOST_LAYERS = 4096;

  static final int LONGEST_ROW = 1 << 20;
  static final int MOST_HEADS = 1 << 14;
  static final int LONGEST_HEAD = 1 << 14;
  static final int LARGEST_STATE = 1 << 12;

  public static final Range LAYERS = new Range(1, MOST_LAYERS);

  /** The length of rows: of embeddings, and within feed-forwards. */
  public static final Range WIDTH = new Range(1, LONGEST_ROW);

  /** A width that may be none. */
  public static final Range WIDTH_OR_NONE = new Range(0, LONGEST_ROW);

  /** How many heads or experts there are. */
  public static final Range COUNT = new Range(1, MOST_HEADS);

  /** How many there are, or none. */
  public static final Range COUNT_OR_NONE = new Range(0, MOST_HEADS);

  /** The length of a head. */
  public static final Range HEAD = new Range(1, LONGEST_HEAD);

  /** A side of a matrix that a sequence keeps for each head, and the reach of a convolution. */
  public static final Range STATE = new Range(1, LARGEST_STATE);

  /** How many positions. */
  public static final Range POSITIONS = new Range(1, Integer.MAX_VALUE);

  /** How many positions, or none. */
  public static final Range POSITIONS_OR_NONE = new Range(0, Integer.MAX_VALUE);

  /** A choice for each layer, and layers by their number. */
  public static final Range MARK = new Range(0, Integer.MAX_VALUE);

  /** What is added to a mean of squares before its root. */
  public static final Range EPSILON = new Range(0, 1);

  /** A part of a whole. */
  public static final Range FRACTION = new Range(0, 1);

  /** A real number that is divided by. */
  public static final Range POSITIVE = new Range(1e-30, 1e30);

  /** What bends scores and logits, or zero for none: kernels resolve ten millionths of it. */
  public static final Range CAP_OR_NONE = new Range(0, 1e4);

  /** What may scale something, either way. */
  public static final Range FACTOR = new Range(-1e30, 1e30);

  /** Never for what is not a number. */
  boolean holds(double value) {
    return value >= least && value <= most;
  }

  @Override
  public String toString() {
    boolean isWhole = least == Math.rint(least) && most <= Integer.MAX_VALUE;
    return isWhole ? (long) least + " to " + (long) most : least + " to " + most;
  }
}
