package weft.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;
import weft.chat.Part;
import weft.cli.chat.ImageFile;
import weft.cli.chat.VideoFile;
import weft.image.ImageException;
import weft.image.Reel;

/** Pictures and videos that are shown to a model, in the order in which they are given. */
final class ImageOptions {
  @ArgGroup(multiplicity = "0..*")
  private List<Shown> shown = new ArrayList<>();

  @Option(
      names = "--fps",
      paramLabel = "N",
      description = "How many frames of such a folder there are for a second (default: 2).")
  private double perSecond = Part.Video.USUAL_PER_SECOND;

  ImageOptions() {}

  /** One of them: a group of options is what keeps the order between two that may be repeated. */
  private static final class Shown {
    @Option(
        names = "--image",
        paramLabel = "FILE",
        description =
            "Show the model a picture (PNG, JPEG, WebP, GIF, BMP or TIFF); may be given several"
                + " times.")
    private @Nullable Path picture;

    @Option(
        names = "--video",
        paramLabel = "FILE",
        description =
            "Show the model a video: an animated GIF, PNG or WebP, or a folder with a picture for"
                + " each frame; may be given several times. Pictures and videos are shown in the"
                + " order of their options.")
    private @Nullable Path video;

    Shown() {}

    Part.Shown read(double perSecond) {
      if (picture != null) return ImageFile.read(picture);
      return VideoFile.read(Objects.requireNonNull(video), perSecond);
    }
  }

  /** Read before a model is loaded: what is not there, or is no picture, is said at once. */
  List<Part.Shown> read() {
    try {
      Reel.requireRate(perSecond);
    } catch (ImageException e) {
      throw new UsageException("--fps: " + e.getMessage());
    }
    return shown.stream().map(each -> each.read(perSecond)).toList();
  }
}
