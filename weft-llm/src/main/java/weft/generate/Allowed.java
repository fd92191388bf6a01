package weft.generate;

/** Logits after penalties and a mask: negative infinity forbids a token. */
record Allowed(float[] row) implements Logits.InArray {
  @Override
  public float peak(int run) {
    float peak = Float.NEGATIVE_INFINITY;
    for (int i = run * RUN; i < Math.min(row.length, (run + 1) * RUN); i++) {
      peak = Math.max(peak, row[i]);
    }
    return peak;
  }
}
