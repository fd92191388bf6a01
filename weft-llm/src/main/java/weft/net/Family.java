package weft.net;

import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A model family: the names under which checkpoints announce it, how Transformers names its parts,
 * how its shape is read, and how that of the head is which foretells a token more, where a
 * checkpoint has one.
 */
public record Family(
    String name,
    Set<String> ggufArchitectures,
    Set<String> transformersTypes,
    Naming naming,
    Function<Meta, Architecture> read,
    Head head) {
  /** How the head of a checkpoint is read, to foretell the first {@code vocabulary} tokens. */
  @FunctionalInterface
  public interface Head {
    Head NONE = (meta, vocabulary) -> Optional.empty();

    Optional<Architecture> of(Meta meta, int vocabulary);
  }

  public Family {
    ggufArchitectures = Set.copyOf(ggufArchitectures);
    transformersTypes = Set.copyOf(transformersTypes);
  }

  /** A family whose checkpoints have no such head. */
  public Family(
      String name,
      Set<String> ggufArchitectures,
      Set<String> transformersTypes,
      Naming naming,
      Function<Meta, Architecture> read) {
    this(name, ggufArchitectures, transformersTypes, naming, read, Head.NONE);
  }
}
