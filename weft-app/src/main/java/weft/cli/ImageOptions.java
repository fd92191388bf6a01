package weft.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Option;
import weft.chat.Part;
import weft.cli.chat.ImageFile;
import weft.cli.chat.VideoFile;
import weft.image.ImageException;
import weft.image.Reel;

/** Pictures and videos that are shown to a model. */
final class ImageOptions {
  @Option(
      names = "--image",
      paramLabel = "FILE",
      description =
          "Show the model a picture (PNG, JPEG, WebP, GIF, BMP or TIFF); may be given several"
              + " times.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = "--video",
      paramLabel = "FILE",
      description =
          "Show the model a video, behind the pictures: an animated GIF, PNG or WebP, or a folder"
              + " with a picture for each frame; may be given several times.")
  private List<Path> videos = new ArrayList<>();

  @Option(
      names = "--fps",
      paramLabel = "N",
      description = "How many frames of such a folder there are for a second (default: 2).")
  private double perSecond = Part.Video.USUAL_PER_SECOND;

  ImageOptions() {}

  /** Read before a model is loaded: what is not there, or is no picture, is said at once. */
  List<Part.Shown> read() {
    try {
      Reel.requireRate(perSecond);
    } catch (ImageException e) {
      throw new UsageException("--fps: " + e.getMessage());
    }
    return Stream.<Part.Shown>concat(
            files.stream().map(ImageFile::read),
            videos.stream().map(file -> VideoFile.read(file, perSecond)))
        .toList();
  }
}
