package weft.quant;

import java.lang.foreign.MemorySegment;

/**
 * Sixteen runs of 16 three-bit numbers, each run with a six-bit scale: {@code high bits:32, q:64,
 * scales:12, d:2}, value {@code d·(scale − 32)·(q − 4)}.
 *
 * <p>Each 32 bytes of quants hold the lower two bits of 128 values, a quarter of them in each pair
 * of bits; bit {@code j} of the 32 high-bit bytes belongs to the {@code j}-th 32 values.
 */
public record Q3_K() implements Encoding {
  private static final SymmetricRuns RUNS =
      new SymmetricRuns(16, 16, 32, -4, x -> Rounding.clamp(x, -4, 3));
  private static final int QUANTS = 32;
  private static final int SCALES = 96;
  private static final int D = 108;

  @Override
  public StorageType type() {
    return StorageType.Q3_K;
  }

  @Override
  public void decodeBlock(MemorySegment from, long offset, float[] to, int at) {
    float d = Bytes.half(from, offset + D);
    for (int run = 0; run < RUNS.runs(); run++) {
      float scale = d * (scale(from, offset + SCALES, run) - 32);
      long quants = offset + QUANTS + place(run);
      long highBits = offset + run % 2 * 16;
      for (int i = 0; i < RUNS.length(); i++) {
        int low = Bytes.unsigned(from, quants + i) >> shift(run) & 3;
        int high = Bytes.unsigned(from, highBits + i) >> run / 2 & 1;
        to[at + run * RUNS.length() + i] = scale * ((low | high << 2) - 4);
      }
    }
  }

  @Override
  public void encodeBlock(float[] from, int at, MemorySegment to, long offset) {
    var fit = RUNS.fit(from, at);
    to.asSlice(offset, D).fill((byte) 0);
    for (int run = 0; run < RUNS.runs(); run++) {
      putScale(fit.scales()[run] + 32, run, to, offset + SCALES);
      long quants = offset + QUANTS + place(run);
      long highBits = offset + run % 2 * 16;
      for (int i = 0; i < RUNS.length(); i++) {
        int q = fit.quants()[run * RUNS.length() + i] + 4;
        Bytes.or(to, quants + i, (q & 3) << shift(run));
        Bytes.or(to, highBits + i, q >> 2 << run / 2);
      }
    }
    Bytes.putHalf(to, offset + D, fit.d());
  }

  /**
   * The lower four bits lie in eight bytes, runs 8–15 above 0–7; the upper two in the last four.
   */
  private static int scale(MemorySegment from, long scales, int run) {
    int low = Bytes.unsigned(from, scales + run % 8) >> run / 8 * 4 & 15;
    int high = Bytes.unsigned(from, scales + 8 + run % 4) >> run / 4 * 2 & 3;
    return low | high << 4;
  }

  private static void putScale(int scale, int run, MemorySegment to, long scales) {
    Bytes.or(to, scales + run % 8, (scale & 15) << run / 8 * 4);
    Bytes.or(to, scales + 8 + run % 4, scale >> 4 << run / 4 * 2);
  }

  private static int place(int run) {
    return run / 8 * 32 + run % 2 * 16;
  }

  private static int shift(int run) {
    return run / 2 % 4 * 2;
  }
}
