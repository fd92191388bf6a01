package weft.net;

import java.util.Set;
import java.util.function.Function;

/**
 * A model family: the names under which checkpoints announce it, how Transformers names its parts,
 * and how its shape is read.
 */
public record Family(
    String name,
    Set<String> ggufArchitectures,
    Set<String> transformersTypes,
    Naming naming,
    Function<Meta, Architecture> read) {
  public Family {
    ggufArchitectures = Set.copyOf(ggufArchitectures);
    transformersTypes = Set.copyOf(transformersTypes);
  }
}
