package weft.models;

import java.util.List;
import weft.net.Family;

/** The register of model families: a line each. */
public final class Families {
  private static final List<Family> ALL = List.of(Llama.FAMILY);

  private Families() {}

  public static List<Family> all() {
    return ALL;
  }
}
