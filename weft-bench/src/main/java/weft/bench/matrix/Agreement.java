package weft.bench.matrix;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import weft.bench.matrix.Player.Row;

/**
 * How far two rows of logits may be apart, in parts of the largest logit. Where nothing may differ
 * the bits are the same; else the same token is chosen unless two are nearer to each other than
 * that.
 */
record Agreement(double tolerance) {
  static final Agreement EXACT = new Agreement(0);

  /** The same sums in another order; 1.4e-6 was seen. */
  static final Agreement SUMS = new Agreement(1e-4);

  /** A key may be stored as the next half, a number be another word; 1.3e-4 was seen. */
  static final Agreement HALVES = new Agreement(2e-3);

  /** Activations, keys or values may be the next byte, of 127; 3.2e-2 was seen. */
  static final Agreement BYTES = new Agreement(8e-2);

  /** The definition makes no bytes at all; 6.9e-2 was seen behind a recurrence. */
  static final Agreement NO_BYTES = new Agreement(0.2);

  /** The last expert that is chosen may be another. Rows of different texts are 1 apart. */
  static final Agreement OTHER_EXPERT = new Agreement(0.5);

  /** What is wrong with rows that should be as others; empty where nothing is. */
  Optional<String> judge(List<Row> expected, List<Row> got) {
    for (int i = 0; i < expected.size(); i++) {
      var wrong = judge(expected.get(i), got.get(i));
      if (wrong.isPresent()) return wrong;
    }
    return Optional.empty();
  }

  Optional<String> judge(Row expected, Row got) {
    var soundness = soundness(got);
    if (soundness.isPresent()) return soundness;
    double largest = largest(expected.logits());
    double apart = apart(expected.logits(), got.logits()) / largest;
    if (!(apart <= tolerance)) {
      return wrong(got, "its logits are %.2e apart, more than %.1e", apart, tolerance);
    }
    if (got.token() == expected.token()) return Optional.empty();
    double lead = (expected.logits()[expected.token()] - expected.logits()[got.token()]) / largest;
    return lead <= 2 * tolerance
        ? Optional.empty()
        : wrong(got, "it chooses token %d, not %d", got.token(), expected.token());
  }

  /** What is wrong with a row by itself. */
  static Optional<String> soundness(Row row) {
    int greatest = 0;
    for (int i = 0; i < row.logits().length; i++) {
      if (!Float.isFinite(row.logits()[i])) return wrong(row, "logit %d is not finite", i);
      if (row.logits()[i] > row.logits()[greatest]) greatest = i;
    }
    if (largest(row.logits()) == 0) return wrong(row, "all its logits are zero");
    return row.token() == greatest
        ? Optional.empty()
        : wrong(row, "its greatest logit is %d, but %d is chosen", greatest, row.token());
  }

  private static Optional<String> wrong(Row row, String how, Object... what) {
    return Optional.of(
        "sequence %d at position %d: ".formatted(row.sequence(), row.position())
            + String.format(Locale.ROOT, how, what));
  }

  /** The largest difference of two rows. */
  static double apart(float[] a, float[] b) {
    double most = 0;
    for (int i = 0; i < a.length; i++) most = Math.max(most, Math.abs((double) a[i] - b[i]));
    return most;
  }

  static double largest(float[] row) {
    double most = 0;
    for (float logit : row) most = Math.max(most, Math.abs(logit));
    return most;
  }
}
