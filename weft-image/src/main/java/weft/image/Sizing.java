package weft.image;

/** To which size pictures are brought. */
public sealed interface Sizing {
  record Size(int width, int height) {}

  /** The size for a picture; both sides are multiples of {@code factor}. */
  Size of(int width, int height, int factor);

  /** Always the same size, whatever becomes of the proportions. */
  record Fixed(int width, int height) implements Sizing {
    @Override
    public Size of(int ofWidth, int ofHeight, int factor) {
      if (width < factor || height < factor || width % factor != 0 || height % factor != 0) {
        throw new ImageException(
            "%d by %d pixels are no whole patches of %d".formatted(width, height, factor));
      }
      return new Size(width, height);
    }
  }

  /**
   * About the picture's own size, if it has so many pixels: Qwen's smart resize.
   *
   * @param fewest pixels; a picture with fewer grows
   * @param most pixels; a picture with more shrinks
   */
  record Within(long fewest, long most) implements Sizing {
    private static final int LONGEST_SHAPE = 200;

    public Within {
      if (fewest < 1 || most < fewest || most > Pictures.MOST_PIXELS) {
        throw new ImageException(
            "pictures have at least 1 pixel and at most %d, got from %d to %d"
                .formatted(Pictures.MOST_PIXELS, fewest, most));
      }
    }

    @Override
    public Size of(int width, int height, int factor) {
      int longer = Math.max(width, height);
      int shorter = Math.min(width, height);
      if (longer > (long) LONGEST_SHAPE * shorter) {
        throw new ImageException(
            "a picture of %d by %d pixels is too narrow: one side may be %d times the other at most"
                .formatted(width, height, LONGEST_SHAPE));
      }
      double area = (double) width * height;
      double rounded = Math.rint((double) width / factor) * Math.rint((double) height / factor);
      double pixels = rounded * factor * factor;
      if (pixels > most) {
        double beta = Math.sqrt(area / most);
        return new Size(
            Math.max(factor, (int) Math.floor(width / beta / factor) * factor),
            Math.max(factor, (int) Math.floor(height / beta / factor) * factor));
      }
      if (pixels < fewest) {
        double beta = Math.sqrt(fewest / area);
        return new Size(
            (int) Math.ceil(width * beta / factor) * factor,
            (int) Math.ceil(height * beta / factor) * factor);
      }
      return new Size(
          (int) Math.rint((double) width / factor) * factor,
          (int) Math.rint((double) height / factor) * factor);
    }
  }
}
