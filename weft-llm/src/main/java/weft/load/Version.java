package weft.load;

/** The version of Weft, part of the key of everything it keeps on disk. Safe for all threads. */
public final class Version {
  public static final String TEXT = "0.1.0";

  private Version() {}
}
