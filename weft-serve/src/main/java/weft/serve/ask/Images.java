package weft.serve.ask;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import weft.chat.Part;

/**
 * The images and videos of one request, as they are met: at most so many, each so large. For one
 * thread.
 */
public final class Images {
  /** Images of a request. */
  public static final int MOST_IMAGES = 64;

  /** Frames of all videos of a request. */
  public static final int MOST_FRAMES = 768;

  /** Bytes of an image's file. */
  public static final int LARGEST_IMAGE = 20 << 20;

  /** Bytes of all of them, those that were fetched included. */
  public static final int LARGEST_IN_ALL = 64 << 20;

  /** How long all that are fetched for a request may take, but for the last. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final String DATA = "data:";
  private static final String BASE64 = ";base64";

  /** What some clients call frames as JPEG files, each in base64, with commas between. */
  private static final String FRAMES = "data:video/jpeg;";

  private final Remote remote;
  private int count;
  private int frames;
  private long size;
  private Duration fetching = Duration.ZERO;

  Images(Remote remote) {
    this.remote = remote;
  }

  /** An image by its URL: its bytes are in it, or where it leads. */
  public Part.Image url(String path, String url) {
    count(path);
    return new Part.Image(file(path, url), path);
  }

  /** A video by the URL of each of its frames. */
  public Part.Video video(String path, List<String> urls, double perSecond) {
    var files = new ArrayList<byte[]>();
    for (int i = 0; i < urls.size(); i++) {
      countFrame(path);
      files.add(file("%s[%d]".formatted(path, i), urls.get(i)));
    }
    return new Part.Video(files, perSecond, path);
  }

  /** A video by one URL: of a file that moves, or of frames one after the other. */
  public Part.Video video(String path, String url, double perSecond) {
    var files = new ArrayList<byte[]>();
    if (!isIn(url, FRAMES)) {
      countFrame(path);
      files.add(file(path, url));
      return new Part.Video(files, perSecond, path);
    }
    for (var frame : url.substring(url.indexOf(',') + 1).split(",", MOST_FRAMES + 1)) {
      countFrame(path);
      files.add(counted(path, decoded(path, frame)));
    }
    return new Part.Video(files, perSecond, path);
  }

  private static boolean isIn(String url, String beginning) {
    return url.regionMatches(true, 0, beginning, 0, beginning.length());
  }

  private byte[] file(String path, String url) {
    if (isIn(url, DATA)) return data(path, url);
    try {
      var at = new URI(url);
      var scheme = String.valueOf(at.getScheme()).toLowerCase(Locale.ROOT);
      if (scheme.equals("http") || scheme.equals("https")) {
        return counted(path, fetched(path, at));
      }
    } catch (URISyntaxException e) {
      // As any other text.
    }
    throw bad(
        path, "other text", "a data: URL of an image, or an http(s) URL where they are allowed");
  }

  private byte[] fetched(String path, URI at) {
    if (fetching.compareTo(PATIENCE) > 0) {
      throw bad(path, "one that is too late", "one of images that are fetched within 30 seconds");
    }
    long start = System.nanoTime();
    var file = remote.fetch(path, at);
    fetching = fetching.plusNanos(System.nanoTime() - start);
    return file;
  }

  /** An image whose bytes are a text in base64, as some clients write with what a URL begins. */
  public Part.Image base64(String path, String text) {
    count(path);
    var file = isIn(text, DATA) ? data(path, text) : counted(path, decoded(path, text));
    return new Part.Image(file, path);
  }

  private byte[] counted(String path, byte[] file) {
    size += file.length;
    if (size > LARGEST_IN_ALL) {
      throw bad(path, "more", "one of images of at most " + LARGEST_IN_ALL + " bytes in all");
    }
    return file;
  }

  private byte[] data(String path, String url) {
    int comma = url.indexOf(',');
    boolean isBase64 =
        comma > 0 && url.substring(0, comma).toLowerCase(Locale.ROOT).endsWith(BASE64);
    if (!isBase64) throw bad(path, "another data: URL", "a data: URL in base64");
    return counted(path, decoded(path, url.substring(comma + 1)));
  }

  private static byte[] decoded(String path, String text) {
    if (text.length() / 4L * 3 > LARGEST_IMAGE) {
      throw bad(path, "more", "an image of at most " + LARGEST_IMAGE + " bytes");
    }
    try {
      return Base64.getDecoder().decode(text.strip());
    } catch (IllegalArgumentException e) {
      throw bad(path, "other text", "base64");
    }
  }

  private void count(String path) {
    if (++count > MOST_IMAGES) {
      throw bad(path, "more", "one of at most " + MOST_IMAGES + " images of a request");
    }
  }

  private void countFrame(String path) {
    if (++frames > MOST_FRAMES) {
      throw bad(path, "more", "one of at most " + MOST_FRAMES + " frames of a request");
    }
  }

  private static ProblemException bad(String path, String met, String allowed) {
    return new ProblemException(new Problem.BadField(path, met, allowed));
  }
}
