package weft.models;

import java.util.List;
import weft.net.TowerFamily;

/** The register of vision towers: a line each. */
public final class Towers {
  private static final List<TowerFamily> ALL = List.of(QwenVision.FAMILY, GemmaVision.FAMILY);

  private Towers() {}

  public static List<TowerFamily> all() {
    return ALL;
  }
}
