package weft.quant;

import java.lang.foreign.MemorySegment;

/**
 * Sixteen runs of 16 six-bit numbers, each run with a signed byte as scale: {@code low bits:128,
 * high bits:64, scales:16, d:2}, value {@code d·scale·(q − 32)}.
 *
 * <p>Of each 128 values, 64 bytes hold the lower four bits, the first 64 values below and the
 * others above, and 32 bytes the upper two bits, 32 values in each pair of bits.
 */
public record Q6_K() implements Encoding {
  private static final SymmetricRuns RUNS =
      new SymmetricRuns(16, 16, 128, -32, x -> Rounding.clamp(x, -32, 31));
  private static final int HIGH_BITS = 128;
  private static final int SCALES = 192;
  private static final int D = 208;

  @Override
  public StorageType type() {
    return StorageType.Q6_K;
  }

  @Override
  public void decodeBlock(MemorySegment from, long offset, float[] to, int at) {
    float d = Bytes.half(from, offset + D);
    for (int run = 0; run < RUNS.runs(); run++) {
      float scale = d * Bytes.signed(from, offset + SCALES + run);
      long lowBits = offset + lowPlace(run);
      long highBits = offset + HIGH_BITS + highPlace(run);
      for (int i = 0; i < RUNS.length(); i++) {
        int low = Bytes.unsigned(from, lowBits + i) >> lowShift(run) & 15;
        int high = Bytes.unsigned(from, highBits + i) >> highShift(run) & 3;
        to[at + run * RUNS.length() + i] = scale * ((low | high << 4) - 32);
      }
    }
  }

  @Override
  public void encodeBlock(float[] from, int at, MemorySegment to, long offset) {
    var fit = RUNS.fit(from, at);
    to.asSlice(offset, SCALES).fill((byte) 0);
    for (int run = 0; run < RUNS.runs(); run++) {
      Bytes.put(to, offset + SCALES + run, fit.scales()[run]);
      long lowBits = offset + lowPlace(run);
      long highBits = offset + HIGH_BITS + highPlace(run);
      for (int i = 0; i < RUNS.length(); i++) {
        int q = fit.quants()[run * RUNS.length() + i] + 32;
        Bytes.or(to, lowBits + i, (q & 15) << lowShift(run));
        Bytes.or(to, highBits + i, q >> 4 << highShift(run));
      }
    }
    Bytes.putHalf(to, offset + D, fit.d());
  }

  private static int lowPlace(int run) {
    return run / 8 * 64 + run % 4 * 16;
  }

  private static int lowShift(int run) {
    return run / 4 % 2 * 4;
  }

  private static int highPlace(int run) {
    return run / 8 * 32 + run % 2 * 16;
  }

  private static int highShift(int run) {
    return run / 2 % 4 * 2;
  }
}
