package weft.image;

import java.io.InputStream;
import java.util.Objects;

/**
 * The bytes of a file as readers take them. Some go on behind the end, with zeros for each byte
 * that is missing and an exception that they catch for each: who asks for too many of them is
 * stopped.
 */
final class Bytes extends InputStream {
  /** A reader looks ahead a little, of whole files too. */
  static final int MOST_BEYOND = 4096;

  private final byte[] file;
  private int at;
  private int beyond;

  Bytes(byte[] file) {
    this.file = file;
  }

  @Override
  public int read() {
    return at < file.length ? file[at++] & 0xFF : end();
  }

  @Override
  public int read(byte[] into, int from, int count) {
    Objects.checkFromIndexSize(from, count, into.length);
    if (count == 0) return 0;
    if (at == file.length) return end();
    int some = Math.min(count, file.length - at);
    System.arraycopy(file, at, into, from, some);
    at += some;
    return some;
  }

  private int end() {
    if (++beyond > MOST_BEYOND) {
      throw new ImageException("the image is incomplete: its pixels go on behind its end");
    }
    return -1;
  }
}
