package weft.generate;

/**
 * What a model gives every token as the next one. Few of them matter: the greatest of each run of
 * neighbours says where those are, so that the rest need not be looked at, or even leave the
 * device.
 */
public interface Logits {
  /** Neighbours that have one peak. */
  int RUN = 64;

  int size();

  float at(int token);

  /** The greatest logit of a run; NaN where one of them is not finite. */
  float peak(int run);

  /** Copies them all. */
  void copyTo(float[] row);

  default int runs() {
    return Math.ceilDiv(size(), RUN);
  }

  /** The token with the greatest logit, the lowest id among equals. */
  default int likeliest() {
    int best = 0;
    for (int run = 1; run < runs(); run++) {
      if (peak(run) > peak(best)) best = run;
    }
    int token = best * RUN;
    for (int i = token + 1; i < Math.min(size(), (best + 1) * RUN); i++) {
      if (at(i) > at(token)) token = i;
    }
    return token;
  }

  default float[] toArray() {
    var row = new float[size()];
    copyTo(row);
    return row;
  }

  static Logits of(float... row) {
    return new Row(row);
  }

  /** Logits in an array. */
  interface InArray extends Logits {
    float[] row();

    @Override
    default int size() {
      return row().length;
    }

    @Override
    default float at(int token) {
      return row()[token];
    }

    @Override
    default void copyTo(float[] to) {
      System.arraycopy(row(), 0, to, 0, row().length);
    }
  }

  /** As a model gave them. */
  record Row(float[] row) implements InArray {
    @Override
    public float peak(int run) {
      float peak = Float.NEGATIVE_INFINITY;
      float finite = 0;
      for (int i = run * RUN; i < Math.min(row.length, (run + 1) * RUN); i++) {
        peak = Math.max(peak, row[i]);
        finite += row[i] - row[i];
      }
      return peak + finite;
    }
  }
}
