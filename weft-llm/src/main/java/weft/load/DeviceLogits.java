package weft.load;

import weft.backend.OutputRow;
import weft.generate.Logits;

/** Logits where the device left them. */
record DeviceLogits(OutputRow row) implements Logits {
  @Override
  public int size() {
    return row.size();
  }

  @Override
  public boolean isFinite() {
    return row.isFinite();
  }

  @Override
  public int greatest(int count, int[] tokens, float[] logits) {
    return row.greatest(count, tokens, logits);
  }

  @Override
  public void copyTo(float[] to) {
    row.copyTo(to);
  }
}
