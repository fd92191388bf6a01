package weft.image.webp;

import java.util.Arrays;

/**
 * Bytes of one channel, with what blocks at its edges take for neighbours: a row above, and a
 * column to the left.
 */
final class Plane {
  private static final int ABOVE = 127;
  private static final int LEFT = 129;

  /** Blocks look so far to the right of what is above them. */
  private static final int RIGHT = 4;

  final byte[] bytes;
  final int stride;

  Plane(int width, int height) {
    this.stride = 1 + width + RIGHT;
    this.bytes = new byte[Math.multiplyExact(stride, height + 1)];
    Arrays.fill(bytes, 0, stride, (byte) ABOVE);
    for (int y = 0; y < height; y++) bytes[at(-1, y)] = (byte) LEFT;
  }

  int at(int x, int y) {
    return (y + 1) * stride + 1 + x;
  }

  int get(int index) {
    return bytes[index] & 0xFF;
  }

  /** Adds to what was predicted. */
  void add(int index, int change) {
    bytes[index] = clip(get(index) + change);
  }

  static byte clip(int value) {
    return (byte) Math.clamp(value, 0, 255);
  }
}
