package weft.quant;

import java.lang.foreign.MemorySegment;

/**
 * Eight runs of 32 nibbles that index the table of {@link IQ4_NL}, each run with a six-bit scale:
 * {@code d:2, upper scale bits:2, lower scale bits:4, q:128}, value {@code d·(scale − 32)·level}.
 */
public record IQ4_XS() implements Encoding {
  private static final SymmetricRuns RUNS =
      new SymmetricRuns(8, 32, 32, NonLinear.EXTREME, NonLinear::nearestLevel);
  private static final int HIGH_SCALES = 2;
  private static final int LOW_SCALES = 4;
  private static final int QUANTS = 8;
  private static final int HALF = 16;

  @Override
  public StorageType type() {
    return StorageType.IQ4_XS;
  }

  @Override
  public void decodeBlock(MemorySegment from, long offset, float[] to, int at) {
    float d = Bytes.half(from, offset);
    int highScales = from.get(Bytes.SHORT, offset + HIGH_SCALES);
    for (int run = 0; run < RUNS.runs(); run++) {
      int low = Bytes.unsigned(from, offset + LOW_SCALES + run / 2) >> run % 2 * 4 & 15;
      int high = highScales >> 2 * run & 3;
      float scale = d * ((low | high << 4) - 32);
      long quants = offset + QUANTS + run * HALF;
      int target = at + run * RUNS.length();
      for (int i = 0; i < HALF; i++) {
        int pair = Bytes.unsigned(from, quants + i);
        to[target + i] = scale * NonLinear.level(pair & 15);
        to[target + HALF + i] = scale * NonLinear.level(pair >> 4);
      }
    }
  }

  @Override
  public void encodeBlock(float[] from, int at, MemorySegment to, long offset) {
    var fit = RUNS.fit(from, at);
    Bytes.putHalf(to, offset, fit.d());
    to.asSlice(offset + HIGH_SCALES, QUANTS - HIGH_SCALES).fill((byte) 0);
    for (int run = 0; run < RUNS.runs(); run++) {
      int scale = fit.scales()[run] + 32;
      Bytes.or(to, offset + LOW_SCALES + run / 2, (scale & 15) << run % 2 * 4);
      Bytes.or(to, offset + HIGH_SCALES + run / 4, scale >> 4 << run % 4 * 2);
      long quants = offset + QUANTS + run * HALF;
      int source = run * RUNS.length();
      for (int i = 0; i < HALF; i++) {
        int low = NonLinear.nearest(fit.quants()[source + i]);
        int high = NonLinear.nearest(fit.quants()[source + HALF + i]);
        Bytes.put(to, quants + i, low | high << 4);
      }
    }
  }
}
