package weft.image.webp;

import java.io.IOException;

/**
 * Reads yes and no from bytes in which the likelier one takes less than a bit (RFC 6386, section
 * 7). One thread's.
 */
final class Bits {
  /** A reader is ahead of what it has decided by that much. */
  private static final int BEYOND = 2;

  private final byte[] file;
  private final int end;
  private int at;
  private long value;
  private int range = 255;
  private int ready = -8;

  Bits(byte[] file, int from, int to) {
    this.file = file;
    this.at = from;
    this.end = to;
  }

  /** Whether something is so that is not with a chance of {@code chance} in 256. */
  boolean is(int chance) throws IOException {
    if (ready < 0) load();
    int split = (range - 1) * chance >> 8;
    boolean is = value >> ready > split;
    if (is) {
      value -= (long) (split + 1) << ready;
      range -= split + 1;
    } else {
      range = split + 1;
    }
    int shift = Integer.numberOfLeadingZeros(range) - 24;
    range <<= shift;
    ready -= shift;
    return is;
  }

  private void load() throws IOException {
    while (ready < 24) {
      if (at >= end + BEYOND) throw new IOException("the picture goes on behind its end");
      value = value << 8 | (at < end ? file[at] & 0xFF : 0);
      at++;
      ready += 8;
      if (at >= end) break;
    }
  }

  int bit(int chance) throws IOException {
    return is(chance) ? 1 : 0;
  }

  boolean flag() throws IOException {
    return is(128);
  }

  /** Of so many bits, the highest first. */
  int number(int bits) throws IOException {
    int number = 0;
    for (int i = 0; i < bits; i++) number = number << 1 | bit(128);
    return number;
  }

  /** Its size, then its sign. */
  int signed(int bits) throws IOException {
    int number = number(bits);
    return flag() ? -number : number;
  }

  /** The same where it is there at all. */
  int maybe(int bits) throws IOException {
    return flag() ? signed(bits) : 0;
  }
}
