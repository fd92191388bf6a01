package weft.generate;

/** Logits after penalties and a mask: negative infinity forbids a token. */
record Allowed(float[] row) implements Logits {
  @Override
  public int size() {
    return row.length;
  }

  @Override
  public float at(int token) {
    return row[token];
  }

  @Override
  public float peak(int run) {
    float peak = Float.NEGATIVE_INFINITY;
    for (int i = run * RUN; i < Math.min(row.length, (run + 1) * RUN); i++) {
      peak = Math.max(peak, row[i]);
    }
    return peak;
  }

  @Override
  public void copyTo(float[] to) {
    System.arraycopy(row, 0, to, 0, row.length);
  }
}
