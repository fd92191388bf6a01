package weft.net;

import java.util.Set;
import java.util.function.Function;

/**
 * Vision towers of one kind: the names under which files announce them, whose text models read what
 * they see, how Transformers names their parts, and how their shape is read.
 *
 * @param projectors what GGUF calls the way from the tower to the text
 * @param transformersTypes what a configuration calls its tower
 * @param texts the GGUF names of the text models
 * @param marks how prompts of the family mark a picture
 */
public record TowerFamily(
    String name,
    Set<String> projectors,
    Set<String> transformersTypes,
    Set<String> texts,
    Naming naming,
    Function<Meta, Tower> read,
    Marks marks) {
  /**
   * How prompts mark a picture: what a template writes, what the processor makes of it, the token
   * of that which becomes rows, and what is written where a template knows no pictures.
   */
  public record Marks(String written, String expanded, String row, String alone) {}

  public TowerFamily {
    projectors = Set.copyOf(projectors);
    transformersTypes = Set.copyOf(transformersTypes);
    texts = Set.copyOf(texts);
  }
}
