package weft.image;

import java.util.List;

/**
 * Frames of a video that a model sees as one, each of its size already.
 *
 * @param second in their midst, from the beginning
 */
public record Moment(double second, List<Picture> frames) {
  public Moment {
    frames = List.copyOf(frames);
  }
}
