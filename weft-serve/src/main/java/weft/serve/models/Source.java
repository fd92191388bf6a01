package weft.serve.models;

import java.util.Objects;
import java.util.function.Supplier;
import weft.load.LanguageModel;

/**
 * A model that may be served.
 *
 * @param name by which clients ask for it
 * @param bytes about what it takes while it is loaded
 * @param load loads it; called again after it was unloaded
 */
public record Source(String name, long bytes, Supplier<LanguageModel> load) {
  public Source {
    if (name.isBlank()) throw new ServeException("a served model needs a name");
    Objects.requireNonNull(load, "load");
  }
}
