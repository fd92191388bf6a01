package weft.cpu.kernel.product;

/** How many values of a row share a scale where they are words. */
public enum WordScales {
  /** 64 of them, whatever the others are. */
  BLOCKS,

  /**
   * All that a panel has of the row, by the 64 of them that are longest: sums need no
   * multiplication but the last. Values are rounded by up to √k / 113,000 of the length of the row,
   * where one block has all of it, and as in blocks of their own where all are of like length.
   */
  PANELS;

  /** Whether rows of so many values can have such scales. */
  public boolean take(long k) {
    return switch (this) {
      case BLOCKS -> WordRows.takes(k);
      case PANELS -> k > 0 && k % WordRows.BLOCK == 0;
    };
  }

  /** The name of a kernel that works with them. */
  public String named(String name) {
    return switch (this) {
      case BLOCKS -> name;
      case PANELS -> name + ".panels";
    };
  }
}
