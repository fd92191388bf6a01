package weft.backend;

/**
 * One row of an output as the last run left it; it holds until the next. A vocabulary's logits are
 * long, and choosing a token needs few of them: the greatest of each run says where to look.
 */
public interface OutputRow {
  /** Neighbours that have one peak. */
  int RUN = 64;

  int size();

  float at(int element);

  /** The greatest element of each run; NaN where one of them is not finite. */
  float[] peaks();

  void copyTo(float[] to);
}
