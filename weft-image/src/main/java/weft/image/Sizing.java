package weft.image;

/** To which size pictures are brought. */
public sealed interface Sizing {
  /** How often a side may be the other. */
  int LONGEST_SHAPE = 200;

  record Size(int width, int height) {}

  /** The size for a picture; both sides are multiples of {@code factor}. */
  Size of(int width, int height, int factor);

  /** The same for each of so many frames of a video, of which {@code depth} are seen as one. */
  default Sizing filmed(int frames, int depth) {
    return this;
  }

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
    public Within {
      requirePixels(fewest, most);
    }

    @Override
    public Size of(int width, int height, int factor) {
      return near(new Counts(1, 1), width, height, factor, fewest, most);
    }
  }

  /**
   * The same for frames of a video, all of whose pixels are counted.
   *
   * @param fewest pixels of all frames
   * @param most pixels of all frames
   * @param frames how many there are
   * @param depth frames that are seen as one, so that others are not whole
   */
  record Filmed(long fewest, long most, int frames, int depth) implements Sizing {
    public Filmed {
      requirePixels(fewest, most);
    }

    @Override
    public Sizing filmed(int count, int seenAsOne) {
      return new Filmed(fewest, most, count, seenAsOne);
    }

    @Override
    public Size of(int width, int height, int factor) {
      // What is narrower than a patch grows first.
      boolean isSmall = width < factor || height < factor;
      double scale = Math.max((double) factor / height, (double) factor / width);
      int wide = isSmall ? (int) (width * scale) : width;
      int high = isSmall ? (int) (height * scale) : height;
      double whole = Math.rint((double) frames / depth) * depth;
      return near(new Counts(frames, whole), wide, high, factor, fewest, most);
    }
  }

  /** Frames, and as many as there are of whole groups. */
  record Counts(double frames, double whole) {}

  private static Size near(
      Counts counts, int width, int height, int factor, long fewest, long most) {
    int longer = Math.max(width, height);
    int shorter = Math.min(width, height);
    if (longer > (long) LONGEST_SHAPE * shorter) {
      throw new ImageException(
          "a picture of %d by %d pixels is too narrow: one side may be %d times the other at most"
              .formatted(width, height, LONGEST_SHAPE));
    }
    double area = counts.frames * width * height;
    double rounded = Math.rint((double) width / factor) * Math.rint((double) height / factor);
    double pixels = counts.whole * rounded * factor * factor;
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

  private static void requirePixels(long fewest, long most) {
    if (fewest < 1 || most < fewest || most > Pictures.MOST_PIXELS) {
      throw new ImageException(
          "pictures have at least 1 pixel and at most %d, got from %d to %d"
              .formatted(Pictures.MOST_PIXELS, fewest, most));
    }
  }
}
