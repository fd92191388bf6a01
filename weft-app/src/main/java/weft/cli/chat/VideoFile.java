package weft.cli.chat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import weft.chat.Part;
import weft.image.ImageException;
import weft.image.Pictures;
import weft.image.Reel;
import weft.input.SmallInput;

/** Videos as users name them: a file that moves, or a folder with a picture for each frame. */
public final class VideoFile {
  private static final Pattern NUMBERS = Pattern.compile("(?<=\\D)(?=\\d)|(?<=\\d)(?=\\D)");

  /** Bytes of all frames of a folder. */
  private static final int MOST_BYTES = 256 << 20;

  private VideoFile() {}

  /** Its bytes; what is none is an {@link ImageException}. */
  public static Part.Video read(Path file, double perSecond) {
    try {
      var files =
          Files.isDirectory(file) ? frames(file) : List.of(bytes(file, Pictures.MOST_BYTES));
      Reel.of(files, perSecond);
      return new Part.Video(files, perSecond, file.toString());
    } catch (IOException e) {
      throw new ImageException(e.getMessage(), e);
    } catch (ImageException e) {
      throw e.about(file.toString());
    }
  }

  /**
   * Those of a folder by their names, in which numbers count as such; hidden ones are no frames.
   */
  private static List<byte[]> frames(Path folder) throws IOException {
    try (var all = Files.list(folder)) {
      var files =
          all.filter(each -> !each.getFileName().toString().startsWith("."))
              .limit(Reel.MOST_FRAMES + 1L)
              .sorted(Comparator.comparing(each -> each.getFileName().toString(), VideoFile::order))
              .toList();
      if (files.size() < 2) {
        throw new ImageException(
            "the folder has %d files; a video has a picture for each of its frames, two at least"
                .formatted(files.size()));
      }
      return read(files);
    }
  }

  private static List<byte[]> read(List<Path> files) throws IOException {
    var out = new ArrayList<byte[]>();
    long left = MOST_BYTES;
    for (var file : files) {
      var bytes = bytes(file, left);
      left -= bytes.length;
      try {
        Pictures.requireKnown(bytes);
      } catch (ImageException e) {
        throw e.about(file.getFileName().toString());
      }
      out.add(bytes);
    }
    return out;
  }

  private static byte[] bytes(Path file, long most) throws IOException {
    return SmallInput.named(file, (int) most);
  }

  /** The second frame comes before the tenth. */
  static int order(String one, String other) {
    var a = NUMBERS.split(one);
    var b = NUMBERS.split(other);
    for (int i = 0; i < Math.min(a.length, b.length); i++) {
      int order = orderOfParts(a[i], b[i]);
      if (order != 0) return order;
    }
    return a.length == b.length ? one.compareTo(other) : Integer.compare(a.length, b.length);
  }

  private static int orderOfParts(String a, String b) {
    boolean areNumbers = Character.isDigit(a.charAt(0)) && Character.isDigit(b.charAt(0));
    if (!areNumbers) return a.compareTo(b);
    var one = a.replaceFirst("^0+(?=.)", "");
    var other = b.replaceFirst("^0+(?=.)", "");
    return one.length() == other.length()
        ? one.compareTo(other)
        : Integer.compare(one.length(), other.length());
  }
}
