package weft.serve.ask;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;
import weft.chat.Part;

/** The images of one request, as they are met: at most so many, each so large. For one thread. */
public final class Images {
  /** Images of a request. */
  public static final int MOST_IMAGES = 64;

  /** Bytes of an image's file. */
  public static final int LARGEST_IMAGE = 20 << 20;

  /** Bytes of all of them, those that were fetched included. */
  public static final int LARGEST_IN_ALL = 64 << 20;

  /** How long all that are fetched for a request may take, but for the last. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final String DATA = "data:";
  private static final String BASE64 = ";base64";

  private final Remote remote;
  private int count;
  private long size;
  private Duration fetching = Duration.ZERO;

  Images(Remote remote) {
    this.remote = remote;
  }

  /** An image by its URL: its bytes are in it, or where it leads. */
  public Part.Image url(String path, String url) {
    count(path);
    if (url.regionMatches(true, 0, DATA, 0, DATA.length())) return data(path, url);
    try {
      var at = new URI(url);
      var scheme = String.valueOf(at.getScheme()).toLowerCase(Locale.ROOT);
      if (scheme.equals("http") || scheme.equals("https")) {
        return image(path, fetched(path, at));
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
    if (text.regionMatches(true, 0, DATA, 0, DATA.length())) return data(path, text);
    return image(path, decoded(path, text));
  }

  private Part.Image image(String path, byte[] file) {
    size += file.length;
    if (size > LARGEST_IN_ALL) {
      throw bad(path, "more", "one of images of at most " + LARGEST_IN_ALL + " bytes in all");
    }
    return new Part.Image(file, path);
  }

  private Part.Image data(String path, String url) {
    int comma = url.indexOf(',');
    boolean isBase64 =
        comma > 0 && url.substring(0, comma).toLowerCase(Locale.ROOT).endsWith(BASE64);
    if (!isBase64) throw bad(path, "another data: URL", "a data: URL in base64");
    return image(path, decoded(path, url.substring(comma + 1)));
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

  private static ProblemException bad(String path, String met, String allowed) {
    return new ProblemException(new Problem.BadField(path, met, allowed));
  }
}
