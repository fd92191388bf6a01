package weft.generate;

/**
 * What a model gives every token as the next one. Few of them matter: whoever has computed them
 * finds the greatest, so that the rest need not be looked at, or even leave the device. Belongs to
 * the thread that has the model.
 */
public interface Logits {
  int size();

  /** Whether every one is a finite number. */
  boolean isFinite();

  /**
   * Writes the greatest to the front of two arrays, greatest first and the lowest id first among
   * equals, and gives how many there were: as many as asked for, less what negative infinity
   * forbids.
   */
  int greatest(int count, int[] tokens, float[] logits);

  /** Copies them all. */
  void copyTo(float[] row);

  /** The token with the greatest logit, the lowest id among equals; 0 when none is a number. */
  default int likeliest() {
    var token = new int[1];
    greatest(1, token, new float[1]);
    return token[0];
  }

  default float[] toArray() {
    var row = new float[size()];
    copyTo(row);
    return row;
  }

  static Logits of(float... row) {
    return new Row(row);
  }

  /** Logits in an array: as a model gave them, or after penalties and a mask. */
  record Row(float[] row) implements Logits {
    @Override
    public int size() {
      return row.length;
    }

    @Override
    public boolean isFinite() {
      for (float logit : row) if (!Float.isFinite(logit)) return false;
      return true;
    }

    @Override
    public int greatest(int count, int[] tokens, float[] logits) {
      int found = Best.select(row, row.length, Math.min(count, row.length), tokens);
      for (int i = 0; i < found; i++) logits[i] = row[tokens[i]];
      return found;
    }

    @Override
    public void copyTo(float[] to) {
      System.arraycopy(row, 0, to, 0, row.length);
    }
  }
}
