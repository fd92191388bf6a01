package weft.quant;

import java.lang.foreign.MemorySegment;

/**
 * Eight runs of 32 five-bit numbers, each run with a six-bit scale and minimum: {@code d:2, dmin:2,
 * scales and minimums:12, high bits:32, q:128}, value {@code d·scale·q − dmin·minimum}.
 *
 * <p>Each 32 bytes of quants hold the lower four bits of one run below and of the next above; bit
 * {@code j} of the 32 high-bit bytes belongs to run {@code j}.
 */
public record Q5_K() implements Encoding {
  private static final AffineRuns RUNS = new AffineRuns(8, 32, 31, SixBitPairs.HIGHEST);
  private static final int DMIN = 2;
  private static final int PAIRS = 4;
  private static final int HIGH_BITS = PAIRS + SixBitPairs.BYTES;
  private static final int QUANTS = HIGH_BITS + 32;

  @Override
  public StorageType type() {
    return StorageType.Q5_K;
  }

  @Override
  public void decodeBlock(MemorySegment from, long offset, float[] to, int at) {
    float d = Bytes.half(from, offset);
    float dmin = Bytes.half(from, offset + DMIN);
    for (int run = 0; run < RUNS.runs(); run++) {
      float scale = d * SixBitPairs.scale(from, offset + PAIRS, run);
      float minimum = dmin * SixBitPairs.minimum(from, offset + PAIRS, run);
      long quants = offset + QUANTS + run / 2 * RUNS.length();
      for (int i = 0; i < RUNS.length(); i++) {
        int low = Bytes.unsigned(from, quants + i) >> run % 2 * 4 & 15;
        int high = Bytes.unsigned(from, offset + HIGH_BITS + i) >> run & 1;
        to[at + run * RUNS.length() + i] = scale * (low | high << 4) - minimum;
      }
    }
  }

  @Override
  public void encodeBlock(float[] from, int at, MemorySegment to, long offset) {
    var fit = RUNS.fit(from, at);
    Bytes.putHalf(to, offset, fit.d());
    Bytes.putHalf(to, offset + DMIN, fit.dmin());
    SixBitPairs.put(fit.scales(), fit.minimums(), to, offset + PAIRS);
    to.asSlice(offset + HIGH_BITS, blockBytes() - HIGH_BITS).fill((byte) 0);
    for (int run = 0; run < RUNS.runs(); run++) {
      long quants = offset + QUANTS + run / 2 * RUNS.length();
      for (int i = 0; i < RUNS.length(); i++) {
        int q = fit.quants()[run * RUNS.length() + i];
        Bytes.or(to, quants + i, (q & 15) << run % 2 * 4);
        Bytes.or(to, offset + HIGH_BITS + i, q >> 4 << run);
      }
    }
  }
}
