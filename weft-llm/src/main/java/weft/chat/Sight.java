package weft.chat;

import java.util.OptionalInt;
import weft.generate.Seen;
import weft.image.ImageException;
import weft.image.Picture;

/** What a model looks at pictures with. Safe for all threads. */
public interface Sight {
  /**
   * The rows that a picture is in a text of this model. The same picture has the same again, and is
   * looked at once as long as it is remembered. A {@link weft.image.ImageException} says what is
   * wrong with one that cannot be seen.
   */
  Seen see(Picture picture);

  /** How prompts mark where a picture is. */
  Marks marks();

  /**
   * The token that stands for rows of a picture in prompts of tokens; empty where neither the
   * vocabulary nor the configuration says which it is.
   */
  OptionalInt placeholder();

  /** What is said of a model that has none. */
  static ImageException missing(String model) {
    return new ImageException(
        model
            + " takes text alone, and an image was given; load what it sees with (--mmproj FILE), or take a model that has it");
  }
}
