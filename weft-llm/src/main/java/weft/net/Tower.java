package weft.net;

/**
 * A vision tower of some family: from the patches of a picture to the rows that stand for it in a
 * text. It is two graphs, for squares of patches become one row between them.
 */
public interface Tower {
  /** The input of the patches' pixels, of all frames or of the first ones. */
  String PIXELS = "pixels";

  /** The input of what the table of positions has for the patches' places. */
  String PLACES = "places";

  /** The point behind the blocks, and the input of squares of its rows side by side. */
  String PATCHES = "patches";

  /** The point of the rows that stand for a picture. */
  String FEATURES = "features";

  /** The table of positions, a row for each place of a square of places. */
  String TABLE = "v.position_embd.weight";

  /** The input of the pixels that a tower's filter of some number meets. */
  static String pixels(int filter) {
    return filter == 0 ? PIXELS : PIXELS + "." + filter;
  }

  /** The point, and input, of what is kept of an earlier block for a text's layer. */
  static String deep(int layer) {
    return PATCHES + "." + layer;
  }

  /** The point of what becomes of that. */
  static String deepFeatures(int layer) {
    return FEATURES + "." + layer;
  }

  /** From the pixels of each patch to {@link #PATCHES}, and what is kept on the way. */
  void patches(Net net);

  /** From squares of them to {@link #FEATURES}, and what goes to the text's first layers. */
  void features(Net net);

  /** What it takes and gives. */
  Shape shape();

  /**
   * The numbers by which pictures are made ready for a tower.
   *
   * @param patch pixels of a patch's side
   * @param frames of a video that a patch holds; a picture is repeated
   * @param filters how many inputs of such patches there are, for frames that follow each other
   * @param merge patches of a side of the square that becomes one row
   * @param side pixels to which each side of a picture is brought; none where any size is taken
   * @param width of a patch's row
   * @param out the width of a text's row
   * @param deep for how many of a text's layers something is kept
   */
  record Shape(
      int patch, int frames, int filters, int merge, int side, int width, int out, int deep) {
    /** Whether the rows of a picture see each other in a text, and count as tokens do. */
    public boolean isBlock() {
      return side > 0;
    }
  }
}
