package weft.image.webp;

import java.io.IOException;

/** Bits from the lowest of each byte on, as lossless pictures are packed. One thread's. */
final class Packing {
  private final byte[] file;
  private final int end;
  private int at;
  private long window;
  private int count;

  Packing(byte[] file, int from, int to) {
    this.file = file;
    this.at = from;
    this.end = to;
  }

  /** The next bits, which stay; zeros behind the end. */
  int peek(int bits) {
    while (count < bits && at < end) {
      window |= (file[at++] & 0xFFL) << count;
      count += 8;
    }
    return (int) window & (1 << bits) - 1;
  }

  void skip(int bits) throws IOException {
    if (bits > count) throw new IOException("the picture goes on behind its end");
    window >>>= bits;
    count -= bits;
  }

  int number(int bits) throws IOException {
    int number = peek(bits);
    skip(bits);
    return number;
  }

  boolean flag() throws IOException {
    return number(1) == 1;
  }
}
