package weft.quant;

import java.lang.foreign.MemorySegment;

/**
 * Sixteen runs of 16 two-bit numbers, each run with a four-bit scale and minimum: {@code scales
 * (below) and minimums (above):16, q:64, d:2, dmin:2}, value {@code d·scale·q − dmin·minimum}.
 *
 * <p>Each 32 bytes of quants hold 128 values, a quarter of them in each pair of bits.
 */
public record Q2_K() implements Encoding {
  private static final AffineRuns RUNS = new AffineRuns(16, 16, 3, 15);
  private static final int QUANTS = 16;
  private static final int D = 80;
  private static final int DMIN = 82;

  @Override
  public StorageType type() {
    return StorageType.Q2_K;
  }

  @Override
  public void decodeBlock(MemorySegment from, long offset, float[] to, int at) {
    float d = Bytes.half(from, offset + D);
    float dmin = Bytes.half(from, offset + DMIN);
    for (int run = 0; run < RUNS.runs(); run++) {
      int pair = Bytes.unsigned(from, offset + run);
      float scale = d * (pair & 15);
      float minimum = dmin * (pair >> 4);
      long quants = offset + QUANTS + place(run);
      for (int i = 0; i < RUNS.length(); i++) {
        int q = Bytes.unsigned(from, quants + i) >> shift(run) & 3;
        to[at + run * RUNS.length() + i] = scale * q - minimum;
      }
    }
  }

  @Override
  public void encodeBlock(float[] from, int at, MemorySegment to, long offset) {
    var fit = RUNS.fit(from, at);
    to.asSlice(offset + QUANTS, D - QUANTS).fill((byte) 0);
    for (int run = 0; run < RUNS.runs(); run++) {
      Bytes.put(to, offset + run, fit.scales()[run] | fit.minimums()[run] << 4);
      long quants = offset + QUANTS + place(run);
      for (int i = 0; i < RUNS.length(); i++) {
        Bytes.or(to, quants + i, fit.quants()[run * RUNS.length() + i] << shift(run));
      }
    }
    Bytes.putHalf(to, offset + D, fit.d());
    Bytes.putHalf(to, offset + DMIN, fit.dmin());
  }

  private static int place(int run) {
    return run / 8 * 32 + run % 2 * 16;
  }

  private static int shift(int run) {
    return run / 2 % 4 * 2;
  }
}
