package weft.image;

import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * How a family's processor makes patches of a picture: to which size it is brought, how its bytes
 * become floats, and in which order patches and their floats come.
 *
 * @param sizing to which size
 * @param resampling and how
 * @param patch the pixels of a patch's side
 * @param merge patches of a square of so many by so many come one after the other, for they become
 *     one
 * @param frames how many a patch holds: a video's, or a picture again and again
 * @param mean of each channel, taken away from values between 0 and 1
 * @param deviation of each channel, which they are divided by then
 */
public record PatchRules(
    Sizing sizing,
    Resampling resampling,
    int patch,
    int merge,
    int frames,
    Colour mean,
    Colour deviation) {
  public PatchRules {
    Objects.requireNonNull(sizing, "sizing");
    Objects.requireNonNull(resampling, "resampling");
    if (patch < 1 || merge < 1 || frames < 1) {
      throw new ImageException(
          "patches have at least one pixel, one patch a square and one frame, got %d, %d and %d"
              .formatted(patch, merge, frames));
    }
    if (deviation.red == 0 || deviation.green == 0 || deviation.blue == 0) {
      throw new ImageException("the deviation of a channel cannot be 0, got " + deviation);
    }
  }

  /** A number for each channel. */
  public record Colour(float red, float green, float blue) {
    public static Colour grey(float all) {
      return new Colour(all, all, all);
    }

    float of(int channel) {
      return channel == 0 ? red : channel == 1 ? green : blue;
    }
  }

  /** The patches of a picture, brought to its size first. */
  public Patches patches(Picture picture) {
    var size = sizing.of(picture.width(), picture.height(), patch * merge);
    var sized = resampling.resize(picture, size.width(), size.height());
    return cut(Collections.nCopies(frames, sized));
  }

  /** The patches of pictures that have one size already, as many as a patch has frames. */
  public Patches cut(List<Picture> sized) {
    int width = sized.getFirst().width();
    int height = sized.getFirst().height();
    int rows = height / patch;
    int columns = width / patch;
    long floats = (long) Picture.CHANNELS * frames * width * height;
    var values = new float[Math.toIntExact(floats)];
    int to = 0;
    for (int row = 0; row < rows; row += merge) {
      for (int column = 0; column < columns; column += merge) {
        for (int i = 0; i < merge * merge; i++) {
          to = patch(sized, (column + i % merge) * patch, (row + i / merge) * patch, values, to);
        }
      }
    }
    return new Patches(rows, columns, values);
  }

  /** Channel by channel, frame by frame, row by row. */
  private int patch(List<Picture> of, int left, int top, float[] values, int from) {
    int to = from;
    for (int channel = 0; channel < Picture.CHANNELS; channel++) {
      float zero = mean.of(channel) * 255;
      float unit = deviation.of(channel) * 255;
      for (int frame = 0; frame < frames; frame++) {
        for (int y = top; y < top + patch; y++) {
          for (int x = left; x < left + patch; x++) {
            values[to++] = (of.get(frame).at(x, y, channel) - zero) / unit;
          }
        }
      }
    }
    return to;
  }
}
