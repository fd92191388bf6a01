package weft.cuda;

import weft.backend.OutputRow;
import weft.cuda.kernel.Best;
import weft.cuda.kernel.Leaders;

/**
 * A row whose greatest elements the device has found; who asks for more than those, or for any of a
 * row that is not finite, has all of it fetched.
 */
final class ChosenRow implements OutputRow {
  private final Choices choices;
  private final int row;
  private final WholeRow whole;

  ChosenRow(Choices choices, int row, WholeRow whole) {
    this.choices = choices;
    this.row = row;
    this.whole = whole;
  }

  @Override
  public int size() {
    return whole.size();
  }

  @Override
  public boolean isFinite() {
    return choices.has(row) ? choices.isFinite(row) : whole.isFinite();
  }

  @Override
  public int greatest(int count, int[] indexes, float[] values) {
    if (count > Best.COUNT || !choices.has(row) || !isFinite()) {
      return whole.greatest(count, indexes, values);
    }
    if (count <= Leaders.COUNT) choices.leaders(row, count, indexes, values);
    else choices.best(row, count, indexes, values);
    return count;
  }

  @Override
  public void copyTo(float[] to) {
    whole.copyTo(to);
  }
}
