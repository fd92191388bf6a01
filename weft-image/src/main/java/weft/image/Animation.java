package weft.image;

import java.util.List;
import java.util.function.Consumer;

/**
 * A video as one file of pictures that are put on a canvas, each with its own delay.
 *
 * @param colour of the canvas before the first
 */
record Animation(Kind kind, int width, int height, int colour, List<Cel> cels) implements Reel {
  /** Shorter ones are taken for this, as browsers do. */
  private static final double SHORTEST_DELAY = 0.02;

  private static final double USUAL_DELAY = 0.1;

  Animation {
    cels = List.copyOf(cels);
    Pictures.requireSize(kind, width, height, Pictures.MOST_PIXELS);
    Reel.requireFrames(cels.size());
    if (cels.isEmpty()) throw Pictures.damaged(kind);
  }

  static Animation of(byte[] file) {
    var kind = Pictures.kind(file);
    return switch (kind) {
      case GIF -> GifCels.of(file);
      case PNG -> PngCels.of(file);
      case WEBP -> WebpCels.of(file);
      case JPEG, BMP, TIFF -> throw still(kind);
    };
  }

  static ImageException still(Kind kind) {
    return new ImageException(
        "the %s image does not move: a video is an animated GIF, PNG or WebP, or a picture for each frame; show it as an image"
            .formatted(kind));
  }

  static double delay(double seconds) {
    return seconds < SHORTEST_DELAY ? USUAL_DELAY : seconds;
  }

  @Override
  public int frames() {
    return cels.size();
  }

  @Override
  public double begins(int frame) {
    double at = 0;
    for (var cel : cels.subList(0, frame)) at += cel.seconds();
    return at;
  }

  @Override
  public double seconds() {
    return begins(cels.size());
  }

  @Override
  public void read(int[] frames, Consumer<Picture> use) {
    int end = frames[frames.length - 1] + 1;
    requireFilmed(frames.length, end);
    Pictures.within(kind, () -> play(frames, end, use));
  }

  private void requireFilmed(int taken, int end) {
    long filmed = (long) width * height * taken;
    for (var cel : cels.subList(0, end)) filmed += cel.area().pixels();
    Reel.requirePixels(filmed);
  }

  /** How many pictures were put on the canvas. */
  private int play(int[] frames, int end, Consumer<Picture> use) {
    var canvas = new Canvas(width, height, colour);
    int next = 0;
    for (int i = 0; i < end; i++) {
      var cel = cels.get(i);
      boolean isTakenBack = cel.after() == Cel.After.TAKEN_BACK;
      int[] before = isTakenBack ? canvas.kept(cel.area()) : new int[0];
      canvas.put(cel.image().get(), cel);
      if (frames[next] == i) {
        use.accept(canvas.picture());
        next++;
      }
      switch (cel.after()) {
        case KEPT -> {}
        case CLEARED -> canvas.fill(cel.area(), cel.cleared());
        case TAKEN_BACK -> canvas.takeBack(cel.area(), before);
      }
    }
    return end;
  }
}
