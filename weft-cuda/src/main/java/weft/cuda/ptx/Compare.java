package weft.cuda.ptx;

/** Comparisons; with a number that is none, all are false but {@link #NE}. */
public enum Compare {
  EQ("eq"),
  NE("ne"),
  LT("lt"),
  LE("le"),
  GT("gt"),
  GE("ge");

  private final String word;

  Compare(String word) {
    this.word = word;
  }

  String word() {
    return word;
  }

  /** The word for floats: a NaN is unlike anything, itself included. */
  String realWord() {
    return this == NE ? "neu" : word;
  }
}
