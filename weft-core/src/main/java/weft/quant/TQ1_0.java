package weft.quant;

import java.lang.foreign.MemorySegment;

/**
 * 256 ternary numbers, five to a byte, under one half-float scale: {@code q:48, q of four:4, d:2},
 * value {@code d·(q − 1)}.
 *
 * <p>A byte is its digits as a fraction, {@code 0.ddddd} in base 3 times 256, so that multiplying
 * by a power of three brings a digit before the point.
 */
public record TQ1_0() implements Encoding {
  private static final int SCALE = 52;

  /** Bytes that begin at {@code first} and hold {@code digits} values each, {@code count} apart. */
  private record Run(int first, int count, int digits, int value) {}

  private static final Run[] RUNS = {
    new Run(0, 32, 5, 0), new Run(32, 16, 5, 160), new Run(48, 4, 4, 240)
  };

  @Override
  public StorageType type() {
    return StorageType.TQ1_0;
  }

  @Override
  public void decodeBlock(MemorySegment from, long offset, float[] to, int at) {
    float d = Bytes.half(from, offset + SCALE);
    for (Run run : RUNS) {
      for (int i = 0; i < run.count; i++) {
        int fraction = Bytes.unsigned(from, offset + run.first + i);
        for (int digit = 0; digit < run.digits; digit++) {
          to[at + run.value + digit * run.count + i] = d * ((fraction * 3 >> 8) - 1);
          fraction = fraction * 3 & 0xFF;
        }
      }
    }
  }

  @Override
  public void encodeBlock(float[] from, int at, MemorySegment to, long offset) {
    float d = Rounding.largestMagnitude(from, at, blockValues());
    float inverse = Rounding.inverse(d);
    for (Run run : RUNS) {
      for (int i = 0; i < run.count; i++) {
        int number = 0;
        for (int digit = 0; digit < 5; digit++) {
          int ternary =
              digit < run.digits
                  ? Rounding.halfAway(from[at + run.value + digit * run.count + i] * inverse) + 1
                  : 0;
          number = number * 3 + ternary;
        }
        // Rounded up, so that cutting on the way back gives the digits again.
        Bytes.put(to, offset + run.first + i, Math.ceilDiv(number * 256, 243));
      }
    }
    Bytes.putHalf(to, offset + SCALE, d);
  }
}
