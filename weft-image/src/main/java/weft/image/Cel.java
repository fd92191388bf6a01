package weft.image;

import java.awt.image.BufferedImage;
import java.util.function.Supplier;

/**
 * One picture of an animation: where on its canvas it is put, how, and for how long.
 *
 * @param area where it is put; a part beyond the canvas is not seen
 * @param after what becomes of that part of the canvas when its time is over
 * @param cleared the colour of a part that is cleared
 * @param image the picture alone, with how much of it is seen
 */
record Cel(
    Area area,
    double seconds,
    Manner manner,
    After after,
    int cleared,
    Supplier<BufferedImage> image) {
  /** Pixels of a canvas. */
  record Area(int left, int top, int width, int height) {
    long pixels() {
      return (long) width * height;
    }
  }

  /** How it meets what was there. */
  enum Manner {
    /** Nothing of that is left. */
    REPLACING,

    /** That shows through. */
    OVER
  }

  /** What becomes of it. */
  enum After {
    KEPT,
    CLEARED,

    /** What was there before comes back. */
    TAKEN_BACK
  }
}
