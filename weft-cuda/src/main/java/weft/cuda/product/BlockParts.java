package weft.cuda.product;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import weft.quant.Encoding;
import weft.quant.IQ3_S;
import weft.quant.IQ4_NL;
import weft.quant.IQ4_XS;
import weft.quant.MXFP4;
import weft.quant.Q2_K;
import weft.quant.Q3_K;
import weft.quant.Q4_0;
import weft.quant.Q4_1;
import weft.quant.Q4_K;
import weft.quant.Q5_0;
import weft.quant.Q5_1;
import weft.quant.Q5_K;
import weft.quant.Q6_K;
import weft.quant.Q8_0;
import weft.quant.TQ1_0;
import weft.quant.TQ2_0;

/** A block's numbers, scales and minimums as whole numbers, and its halves as they are. */
final class BlockParts {
  private final Encoding encoding;
  private final int[] numbers;
  private final int[] scales = new int[16];
  private final int[] minimums = new int[16];
  private short d;
  private short m;
  private MemorySegment from = MemorySegment.NULL;
  private long at;

  BlockParts(Encoding encoding) {
    this.encoding = encoding;
    numbers = new int[encoding.blockValues()];
  }

  int[] numbers() {
    return numbers;
  }

  int[] scales() {
    return scales;
  }

  int[] minimums() {
    return minimums;
  }

  /** The bits of the block's scale: a half, or MXFP4's exponent. */
  short d() {
    return d;
  }

  /** The bits of the half beside it. */
  short m() {
    return m;
  }

  private int u8(long place) {
    return from.get(JAVA_BYTE, at + place) & 0xFF;
  }

  private short half(long place) {
    return from.get(JAVA_SHORT_UNALIGNED, at + place);
  }

  void read(MemorySegment from, long at) {
    this.from = from;
    this.at = at;
    switch (encoding) {
      case Q8_0 _ -> {
        d = half(0);
        for (int i = 0; i < 32; i++) numbers[i] = (byte) u8(2 + i);
      }
      case Q4_0 _, IQ4_NL _ -> {
        d = half(0);
        nibbles(2, 0);
      }
      case Q4_1 _ -> {
        d = half(0);
        m = half(2);
        nibbles(4, 0);
      }
      case MXFP4 _ -> {
        d = (short) u8(0);
        nibbles(1, 0);
      }
      case Q5_0 _ -> {
        d = half(0);
        fifths(2, 6);
      }
      case Q5_1 _ -> {
        d = half(0);
        m = half(2);
        fifths(4, 8);
      }
      case Q2_K _ -> {
        d = half(80);
        m = half(82);
        for (int run = 0; run < 16; run++) {
          scales[run] = u8(run) & 15;
          minimums[run] = u8(run) >> 4;
        }
        quarters(16);
      }
      case Q3_K _ -> q3k();
      case Q4_K _ -> {
        d = half(0);
        m = half(2);
        pairs(4);
        for (int i = 0; i < 256; i++)
          numbers[i] = u8(16 + i / 64 * 32 + i % 32) >> i / 32 % 2 * 4 & 15;
      }
      case Q5_K _ -> {
        d = half(0);
        m = half(2);
        pairs(4);
        for (int i = 0; i < 256; i++) {
          int low = u8(48 + i / 64 * 32 + i % 32) >> i / 32 % 2 * 4 & 15;
          numbers[i] = low | (u8(16 + i % 32) >> i / 32 & 1) << 4;
        }
      }
      case Q6_K _ -> {
        d = half(208);
        for (int run = 0; run < 16; run++) scales[run] = (byte) u8(192 + run);
        for (int i = 0; i < 256; i++) {
          int low = u8(i / 128 * 64 + i % 64) >> i / 64 % 2 * 4 & 15;
          int high = u8(128 + i / 128 * 32 + i % 32) >> i / 32 % 4 * 2 & 3;
          numbers[i] = low | high << 4;
        }
      }
      case IQ4_XS _ -> {
        d = half(0);
        for (int run = 0; run < 8; run++) {
          int low = u8(4 + run / 2) >> run % 2 * 4 & 15;
          scales[run] = (low | (half(2) >> 2 * run & 3) << 4) - 32;
          nibbles(8 + 16 * run, 32 * run);
        }
      }
      case IQ3_S _ -> iq3s();
      case TQ1_0 _ -> {
        d = half(52);
        ternary();
      }
      case TQ2_0 _ -> {
        d = half(64);
        quarters(0);
      }
      default -> throw new IllegalArgumentException(encoding.name() + " is not packed");
    }
  }

  /** Of 16 bytes the lower halves, then the upper. */
  private void nibbles(int place, int first) {
    for (int i = 0; i < 16; i++) {
      numbers[first + i] = u8(place + i) & 15;
      numbers[first + 16 + i] = u8(place + i) >> 4;
    }
  }

  private void fifths(int high, int place) {
    nibbles(place, 0);
    int bits = from.get(JAVA_INT_UNALIGNED, at + high);
    for (int i = 0; i < 32; i++) numbers[i] |= (bits >>> i & 1) << 4;
  }

  /** Of each 32 bytes a quarter of 128 values in each pair of bits. */
  private void quarters(int place) {
    for (int i = 0; i < 256; i++) {
      numbers[i] = u8(place + i / 128 * 32 + i % 32) >> i / 32 % 4 * 2 & 3;
    }
  }

  private void q3k() {
    d = half(108);
    quarters(32);
    for (int i = 0; i < 256; i++) numbers[i] |= (u8(i % 32) >> i / 32 & 1) << 2;
    for (int run = 0; run < 16; run++) {
      int low = u8(96 + run % 8) >> run / 8 * 4 & 15;
      int high = u8(104 + run % 4) >> run / 4 * 2 & 3;
      scales[run] = (low | high << 4) - 32;
    }
  }

  /** Eight six-bit scales and minimums in twelve bytes. */
  private void pairs(int place) {
    for (int run = 0; run < 4; run++) {
      scales[run] = u8(place + run) & 63;
      minimums[run] = u8(place + 4 + run) & 63;
      scales[run + 4] = u8(place + 8 + run) & 15 | u8(place + run) >> 6 << 4;
      minimums[run + 4] = u8(place + 8 + run) >> 4 | u8(place + 4 + run) >> 6 << 4;
    }
  }

  /** The magnitudes come from a table that only the encoding has: its own decoding tells them. */
  private void iq3s() {
    d = half(0);
    var one = MemorySegment.ofArray(new byte[encoding.blockBytes()]);
    MemorySegment.copy(from, at, one, 0, encoding.blockBytes());
    for (int run = 0; run < 8; run++) scales[run] = 2 * (u8(106 + run / 2) >> run % 2 * 4 & 15) + 1;
    // With a scale of one and no scales of runs, what is decoded is the level.
    one.set(JAVA_SHORT_UNALIGNED, 0, Float.floatToFloat16(1));
    for (int i = 0; i < 4; i++) one.set(JAVA_BYTE, 106 + i, (byte) 0);
    var levels = new float[256];
    encoding.decodeBlock(one, 0, levels, 0);
    for (int i = 0; i < 256; i++) {
      int magnitude = (int) Math.abs(levels[i]) / 2;
      numbers[i] = levels[i] < 0 ? magnitude | 8 : magnitude;
    }
  }

  private void ternary() {
    for (int i = 0; i < 52; i++) {
      int first = i < 32 ? i : i < 48 ? 160 + i - 32 : 240 + i - 48;
      int count = i < 32 ? 32 : i < 48 ? 16 : 4;
      int fraction = u8(i);
      for (int digit = 0; digit < (i < 48 ? 5 : 4); digit++) {
        numbers[first + digit * count] = fraction * 3 >> 8;
        fraction = fraction * 3 & 0xFF;
      }
    }
  }
}
