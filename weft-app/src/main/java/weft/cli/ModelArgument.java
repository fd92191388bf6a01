package weft.cli;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;
import weft.load.BuiltIn;

/** The model that a command is given, or the built-in one. */
final class ModelArgument {
  static final String NATURE =
      "this is Weft Tiny, the built-in 12M toy model; give a .gguf for real work";

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "MODEL",
      description =
          "A .gguf file or a folder with config.json and safetensors (default: the built-in"
              + " model).")
  private @Nullable Path path;

  ModelArgument() {}

  /** As it was typed; empty for the built-in one. */
  Optional<Path> given() {
    return Optional.ofNullable(path);
  }

  /** Where it is; that the built-in one serves is said, lest anybody take it for more. */
  Path path(Console console) {
    var given = path;
    if (given != null && given.toString().isEmpty()) {
      throw new UsageException("MODEL is an empty name; leave it out for the built-in model");
    }
    if (given != null) return given;
    var builtIn = BuiltIn.file(console.settings().cacheFolder());
    builtIn.ifPresent(file -> console.say(NATURE));
    return builtIn.orElseThrow(
        () ->
            new UsageException(
                "give a MODEL: a .gguf file, or a folder with config.json and safetensors"));
  }
}
