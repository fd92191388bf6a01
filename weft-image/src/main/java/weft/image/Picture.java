package weft.image;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Objects;

/**
 * Pixels of three bytes, red, green and blue, row by row from the top. A value; nobody writes to
 * its bytes once it is made.
 */
public final class Picture {
  static final int CHANNELS = 3;

  private final int width;
  private final int height;
  private final byte[] pixels;

  private Picture(int width, int height, byte[] pixels) {
    this.width = width;
    this.height = height;
    this.pixels = pixels;
  }

  /** Takes the bytes as they are: who made them leaves them alone. */
  static Picture of(int width, int height, byte[] pixels) {
    if (width < 1 || height < 1 || pixels.length != (long) CHANNELS * width * height) {
      throw new IllegalArgumentException(
          "%d by %d pixels are not %d bytes".formatted(width, height, pixels.length));
    }
    return new Picture(width, height, pixels);
  }

  public int width() {
    return width;
  }

  public int height() {
    return height;
  }

  /** A channel of a pixel, from 0 to 255: red is 0. */
  public int at(int x, int y, int channel) {
    Objects.checkIndex(x, width);
    Objects.checkIndex(y, height);
    Objects.checkIndex(channel, CHANNELS);
    return pixels[(y * width + x) * CHANNELS + channel] & 0xFF;
  }

  /** Adds all that it shows to a digest. */
  public void addTo(MessageDigest digest) {
    digest.update("%d x %d:".formatted(width, height).getBytes(StandardCharsets.US_ASCII));
    digest.update(pixels);
  }

  byte[] pixels() {
    return pixels;
  }
}
