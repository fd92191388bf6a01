package weft.load;

import weft.backend.OutputRow;
import weft.generate.Logits;

/**
 * Logits where the device left them, and a copy of their peaks: each token looks at all of those.
 */
final class DeviceLogits implements Logits {
  static {
    if (OutputRow.RUN != Logits.RUN) {
      throw new AssertionError("devices and samplers must cut rows alike");
    }
  }

  private final OutputRow row;
  private final float[] peaks;

  DeviceLogits(OutputRow row) {
    this.row = row;
    this.peaks = row.peaks();
  }

  @Override
  public int size() {
    return row.size();
  }

  @Override
  public float at(int token) {
    return row.at(token);
  }

  @Override
  public float peak(int run) {
    return peaks[run];
  }

  @Override
  public void copyTo(float[] to) {
    row.copyTo(to);
  }
}
