package weft.quant;

import java.lang.foreign.MemorySegment;

/**
 * The twelve bytes in which Q4_K and Q5_K keep eight six-bit scales and eight six-bit minimums.
 *
 * <p>Bytes 0–3 hold scales 0–3 and bytes 4–7 minimums 0–3 in their lower six bits; bytes 8–11 hold
 * the lower four bits of scale (below) and minimum (above) 4–7, whose upper two bits are the upper
 * two bits of bytes 0–3 and 4–7.
 */
final class SixBitPairs {
  static final int BYTES = 12;
  static final int PAIRS = 8;
  static final int HIGHEST = 63;

  private SixBitPairs() {}

  static int scale(MemorySegment from, long offset, int index) {
    if (index < 4) {
      return Bytes.unsigned(from, offset + index) & 63;
    }
    int high = Bytes.unsigned(from, offset + index - 4) >> 6;
    return Bytes.unsigned(from, offset + 4 + index) & 15 | high << 4;
  }

  static int minimum(MemorySegment from, long offset, int index) {
    int own = Bytes.unsigned(from, offset + 4 + index);
    if (index < 4) {
      return own & 63;
    }
    int high = Bytes.unsigned(from, offset + index) >> 6;
    return own >> 4 | high << 4;
  }

  static void put(int[] scales, int[] minimums, MemorySegment to, long offset) {
    for (int i = 0; i < 4; i++) {
      int lateScale = scales[i + 4];
      int lateMinimum = minimums[i + 4];
      Bytes.put(to, offset + i, scales[i] | lateScale >> 4 << 6);
      Bytes.put(to, offset + 4 + i, minimums[i] | lateMinimum >> 4 << 6);
      Bytes.put(to, offset + 8 + i, lateScale & 15 | (lateMinimum & 15) << 4);
    }
  }
}
