package weft.image;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * How a family's processor makes patches of a video: which of its frames it takes, to which size
 * they are brought, and how many are seen as one.
 *
 * @param perSecond frames that are taken of a second
 * @param fewest frames that are taken, of as many as there are
 * @param most frames that are taken
 * @param depth frames of a moment; the last one is repeated where there are not enough
 * @param patches how each is cut; its sizing is asked for as many frames as are taken
 */
public record FilmRules(double perSecond, int fewest, int most, int depth, PatchRules patches) {
  public FilmRules {
    Objects.requireNonNull(patches, "patches");
    if (!(perSecond > 0) || fewest < 1 || most < fewest || depth < 1) {
      throw new ImageException(
          "of a video at least one frame is taken, got %s a second, from %d to %d, %d at once"
              .formatted(perSecond, fewest, most, depth));
    }
  }

  /** Evenly among all of them, from the first to the last. */
  int[] sample(int frames, double seconds) {
    int wanted = (int) Math.min(seconds * perSecond, most);
    int count = Math.min(Math.max(wanted, fewest), Math.min(most, frames));
    var taken = new int[count];
    for (int i = 0; i < count; i++) {
      // The last is the end itself, whatever the step is rounded to.
      double at = i == count - 1 ? frames - 1 : i * ((frames - 1.0) / (count - 1));
      taken[i] = count == 1 ? 0 : (int) Math.rint(at);
    }
    return taken;
  }

  /** What a model is shown of a video, in its order. */
  public List<Moment> moments(Reel reel) {
    var taken = sample(reel.frames(), reel.seconds());
    if (taken.length < depth) {
      throw new ImageException(
          "a video of %d frame is none: %d are the fewest that are seen; show it as an image"
              .formatted(taken.length, depth));
    }
    var frames = new Sized(taken.length);
    reel.read(taken, frames::add);
    var moments = new ArrayList<Moment>();
    int last = taken.length - 1;
    for (int from = 0; from <= last; from += depth) {
      var among = new ArrayList<Picture>();
      for (int i = from; i < from + depth; i++) among.add(frames.all.get(Math.min(i, last)));
      double begins = reel.begins(taken[from]);
      double ends = reel.begins(taken[Math.min(from + depth - 1, last)]);
      moments.add(new Moment((begins + ends) / 2, among));
    }
    return moments;
  }

  /** Frames as they come, each brought to the size that the first one has them all. */
  private final class Sized {
    private final List<Picture> all = new ArrayList<>();
    private final Sizing sizing;
    private int width;
    private int height;

    Sized(int count) {
      this.sizing = patches.sizing().filmed(count, depth);
    }

    void add(Picture frame) {
      if (all.isEmpty()) {
        width = frame.width();
        height = frame.height();
      }
      Reel.requirePixels((all.size() + 1L) * width * height);
      if (frame.width() != width || frame.height() != height) {
        throw new ImageException(
            "all frames of a video have one size, but the first has %d by %d pixels and another %d by %d"
                .formatted(width, height, frame.width(), frame.height()));
      }
      var size = sizing.of(width, height, patches.patch() * patches.merge());
      all.add(patches.resampling().resize(frame, size.width(), size.height()));
    }
  }
}
