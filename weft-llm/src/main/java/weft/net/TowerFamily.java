package weft.net;

import java.util.List;
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
 * @param films how they mark a video
 */
public record TowerFamily(
    String name,
    Set<String> projectors,
    Set<String> transformersTypes,
    Set<String> texts,
    Naming naming,
    Function<Meta, Tower> read,
    Marks marks,
    Films films) {
  /**
   * How prompts mark a picture.
   *
   * @param written what a template writes
   * @param before what the processor makes of it, before a token that becomes rows
   * @param rows that token: the first that a vocabulary has
   * @param after and behind it
   * @param alone what is written where a template knows no pictures
   */
  public record Marks(
      String written, String before, List<String> rows, String after, String alone) {
    public Marks {
      rows = List.copyOf(rows);
    }
  }

  /**
   * How prompts mark a video, of which they show moments.
   *
   * @param written what a template writes, and the token that becomes a moment's rows
   * @param before what stands before that token
   * @param after and behind it
   */
  public record Films(String written, String before, String after) {
    /** Its frames are pictures. */
    public static final Films NONE = new Films("", "", "");
  }

  public TowerFamily {
    projectors = Set.copyOf(projectors);
    transformersTypes = Set.copyOf(transformersTypes);
    texts = Set.copyOf(texts);
  }
}
