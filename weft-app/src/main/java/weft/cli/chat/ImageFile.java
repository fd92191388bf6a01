package weft.cli.chat;

import java.io.IOException;
import java.nio.file.Path;
import weft.chat.Part;
import weft.image.ImageException;
import weft.image.Pictures;
import weft.input.SmallInput;

/** Pictures as files that users name. */
public final class ImageFile {
  private ImageFile() {}

  /** Its bytes; what is none is an {@link ImageException}. */
  public static Part.Image read(Path file) {
    try {
      var bytes = SmallInput.named(file, (int) Pictures.MOST_BYTES);
      Pictures.requireKnown(bytes);
      return new Part.Image(bytes, file.toString());
    } catch (IOException e) {
      throw new ImageException(e.getMessage(), e);
    } catch (ImageException e) {
      throw e.about(file.toString());
    }
  }
}
