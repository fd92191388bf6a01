package weft.quant;

import java.lang.foreign.MemorySegment;

/**
 * Eight runs of 32 nibbles, each run with a six-bit scale and minimum: {@code d:2, dmin:2, scales
 * and minimums:12, q:128}, value {@code d·scale·q − dmin·minimum}; each 32 bytes of quants hold one
 * run below and the next above.
 */
public record Q4_K() implements Encoding {
  private static final AffineRuns RUNS = new AffineRuns(8, 32, 15, SixBitPairs.HIGHEST);
  private static final int DMIN = 2;
  private static final int PAIRS = 4;
  private static final int QUANTS = PAIRS + SixBitPairs.BYTES;

  @Override
  public StorageType type() {
    return StorageType.Q4_K;
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
        int q = Bytes.unsigned(from, quants + i) >> run % 2 * 4 & 15;
        to[at + run * RUNS.length() + i] = scale * q - minimum;
      }
    }
  }

  @Override
  public void encodeBlock(float[] from, int at, MemorySegment to, long offset) {
    var fit = RUNS.fit(from, at);
    Bytes.putHalf(to, offset, fit.d());
    Bytes.putHalf(to, offset + DMIN, fit.dmin());
    SixBitPairs.put(fit.scales(), fit.minimums(), to, offset + PAIRS);
    for (int pair = 0; pair < RUNS.runs() / 2; pair++) {
      int low = 2 * pair * RUNS.length();
      int high = low + RUNS.length();
      long quants = offset + QUANTS + pair * RUNS.length();
      for (int i = 0; i < RUNS.length(); i++) {
        Bytes.put(to, quants + i, fit.quants()[low + i] | fit.quants()[high + i] << 4);
      }
    }
  }
}
