package weft.models;

import java.util.List;
import weft.net.Family;

/** The register of model families: a line each. */
public final class Families {
  private static final List<Family> ALL =
      List.of(
          Llama.FAMILY,
          Gemma.FAMILY,
          Gemma2.FAMILY,
          Gemma3.FAMILY,
          Qwen2.FAMILY,
          Qwen3.FAMILY,
          Qwen3Moe.FAMILY,
          Qwen3Next.FAMILY,
          Qwen35.FAMILY,
          Olmo2.FAMILY,
          SmolLm3.FAMILY);

  private Families() {}

  public static List<Family> all() {
    return ALL;
  }
}
