package weft.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;
import weft.chat.Part;
import weft.cli.chat.ImageFile;

/** Pictures that are shown to a model. */
final class ImageOptions {
  @Option(
      names = "--image",
      paramLabel = "FILE",
      description =
          "Show the model a picture (PNG, JPEG, WebP, GIF, BMP or TIFF); may be given several"
              + " times.")
  private List<Path> files = new ArrayList<>();

  ImageOptions() {}

  /** Read before a model is loaded: what is not there, or is no picture, is said at once. */
  List<Part.Image> read() {
    return files.stream().map(ImageFile::read).toList();
  }
}
