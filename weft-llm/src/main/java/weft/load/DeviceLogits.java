package weft.load;

import weft.backend.OutputRow;
import weft.generate.Logits;

/** Logits where the device left them. */
record DeviceLogits(OutputRow row) implements Logits {
  static {
    if (OutputRow.RUN != Logits.RUN) {
      throw new AssertionError("devices and samplers must cut rows alike");
    }
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
    return row.peak(run);
  }

  @Override
  public void copyTo(float[] to) {
    row.copyTo(to);
  }
}
