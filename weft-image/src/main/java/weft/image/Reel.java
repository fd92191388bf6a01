package weft.image;

import java.util.List;
import java.util.function.Consumer;

/**
 * The frames of a video that strangers send, in their order: a file each, or all in one file that
 * moves. They are read when they are asked for, one after the other, so that few are in memory.
 * Safe for all threads.
 */
public sealed interface Reel permits FrameFiles, Animation {
  /** Frames of a video, of which a model is shown some. */
  int MOST_FRAMES = 10_000;

  /** Pixels of all frames that are read: minutes of small ones, some seconds of large ones. */
  long MOST_FILMED = 20 * Pictures.MOST_PIXELS;

  /** Frames a second. */
  double SLOWEST = 0.001;

  double FASTEST = 1000;

  int frames();

  /** When a frame begins, in seconds. */
  double begins(int frame);

  /** How long all of them take. */
  double seconds();

  /** Reads the frames of these ascending numbers, upright, and gives each away. */
  void read(int[] frames, Consumer<Picture> use);

  /** Refuses a number of frames a second that no video has. */
  static void requireRate(double perSecond) {
    if (!(perSecond >= SLOWEST && perSecond <= FASTEST)) {
      throw new ImageException(
          "a video has %s to %s frames a second, got %s".formatted(SLOWEST, FASTEST, perSecond));
    }
  }

  /**
   * A single file has its frames and their times within it: an animated GIF, PNG or WebP. Several
   * are a frame each.
   *
   * @param perSecond how many of several files there are for a second
   */
  static Reel of(List<byte[]> files, double perSecond) {
    if (files.isEmpty()) throw new ImageException("the video has no frames");
    return files.size() == 1
        ? Animation.of(files.getFirst())
        : new FrameFiles(List.copyOf(files), perSecond);
  }

  static void requirePixels(long pixels) {
    if (pixels > MOST_FILMED) {
      throw new ImageException(
          "the video has more than %d pixels in the frames that are read, which are the most that are taken; make it smaller or shorter"
              .formatted(MOST_FILMED));
    }
  }

  static void requireFrames(int frames) {
    if (frames > MOST_FRAMES) {
      throw new ImageException(
          "the video has more than %d frames, which are the most that are taken; give fewer of them"
              .formatted(MOST_FRAMES));
    }
  }
}
