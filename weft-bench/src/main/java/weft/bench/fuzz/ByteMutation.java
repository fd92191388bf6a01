package weft.bench.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Changes of bytes that know nothing of their meaning. */
final class ByteMutation {
  private static final int LONGEST_RUN = 64;

  private ByteMutation() {}

  static byte[] mutate(byte[] input, byte[] other, Draw draw) {
    if (input.length == 0) return draw.oneIn(2) ? other : new byte[] {(byte) draw.bits()};
    byte[] bytes = input.clone();
    int at = draw.below(bytes.length);
    int run = 1 + draw.small(Math.min(LONGEST_RUN, bytes.length - at));
    return switch (draw.below(9)) {
      case 0 -> {
        bytes[at] ^= (byte) (1 << draw.below(8));
        yield bytes;
      }
      case 1 -> {
        bytes[at] = (byte) draw.bits();
        yield bytes;
      }
      case 2 -> number(bytes, at, draw.edge(), 1 << draw.below(4));
      case 3 -> number(bytes, at, draw.bits(), 1 << draw.below(4));
      case 4 -> replaced(bytes, at, run, new byte[0]);
      case 5 -> replaced(bytes, at, 0, Arrays.copyOfRange(bytes, at, at + run));
      case 6 -> Arrays.copyOf(bytes, at);
      case 7 -> {
        if (other.length == 0) yield bytes;
        int from = draw.below(other.length);
        int to = from + 1 + draw.small(Math.min(LONGEST_RUN, other.length - from));
        yield replaced(bytes, at, draw.oneIn(2) ? run : 0, Arrays.copyOfRange(other, from, to));
      }
      default -> replaced(bytes, at, 0, new byte[run]);
    };
  }

  /** The bytes with a little-endian number of {@code width} written over some of them. */
  static byte[] number(byte[] bytes, int at, long value, int width) {
    byte[] number = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
    System.arraycopy(number, 0, bytes, at, Math.min(width, bytes.length - at));
    return bytes;
  }

  /** The bytes with {@code count} of them exchanged for others. */
  static byte[] replaced(byte[] bytes, int at, int count, byte[] others) {
    byte[] out = Arrays.copyOf(bytes, bytes.length - count + others.length);
    System.arraycopy(others, 0, out, at, others.length);
    System.arraycopy(bytes, at + count, out, at + others.length, bytes.length - at - count);
    return out;
  }
}
