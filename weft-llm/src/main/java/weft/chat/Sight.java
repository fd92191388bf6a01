package weft.chat;

import java.util.List;
import java.util.OptionalInt;
import weft.generate.Seen;
import weft.image.ImageException;
import weft.image.Picture;
import weft.image.Reel;

/** What a model looks at pictures with. Safe for all threads. */
public interface Sight {
  /** What a video is to a model. */
  enum Films {
    /** Moments with their times. */
    VIDEOS,

    /** Pictures one after the other. */
    PICTURES
  }

  /**
   * The rows that a picture is in a text of this model. The same picture has the same again, and is
   * looked at once as long as it is remembered. A {@link weft.image.ImageException} says what is
   * wrong with one that cannot be seen.
   */
  Seen see(Picture picture);

  /** The same for a video: moments of it in their order. */
  List<Glimpse> watch(Reel reel);

  /** What a video is to this model. */
  Films films();

  /** How prompts mark where a picture is. */
  Marks marks();

  /** How they mark where a video is; {@link FilmMarks#NONE} where that is pictures. */
  FilmMarks filmMarks();

  /**
   * The token that stands for rows of a picture in prompts of tokens; empty where neither the
   * vocabulary nor the configuration says which it is.
   */
  OptionalInt placeholder();

  /** The same for rows of a video. */
  OptionalInt filmPlaceholder();

  /** What is said of a model that has none. */
  static ImageException missing(String model, Part.Shown shown) {
    var what =
        switch (shown) {
          case Part.Image _ -> "an image";
          case Part.Video _ -> "a video";
        };
    return new ImageException(
        model
            + " takes text alone, and "
            + what
            + " was given; load what it sees with (--mmproj FILE), or take a model that has it");
  }
}
