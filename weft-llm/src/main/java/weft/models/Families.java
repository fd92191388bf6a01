package weft.models;

/** The register of model families. */
public final class Families {
  private Families() {}
}
