package weft.load;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import weft.backend.Backend;

/**
 * What a caller may choose when loading: the device, the profile, where compiled programs are kept,
 * how long a text may become, and who hears warnings and progress.
 */
public record LoadOptions(
    String backend,
    String isa,
    OptionalInt threads,
    Profile profile,
    Optional<Path> programCache,
    OptionalInt contextLength,
    Consumer<String> warnings,
    Consumer<String> progress) {
  public LoadOptions {
    if (contextLength.isPresent() && contextLength.getAsInt() < 1) {
      throw new LoadException("a context holds at least 1 token, got " + contextLength.getAsInt());
    }
  }

  public static LoadOptions standard() {
    return new LoadOptions(
        "cpu",
        Backend.Options.AUTO,
        OptionalInt.empty(),
        Profile.standard(),
        Optional.empty(),
        OptionalInt.empty(),
        warning -> {},
        progress -> {});
  }

  public LoadOptions withBackend(String name) {
    return new LoadOptions(
        name, isa, threads, profile, programCache, contextLength, warnings, progress);
  }

  public LoadOptions withIsa(String name) {
    return new LoadOptions(
        backend, name, threads, profile, programCache, contextLength, warnings, progress);
  }

  public LoadOptions withThreads(int count) {
    return new LoadOptions(
        backend,
        isa,
        OptionalInt.of(count),
        profile,
        programCache,
        contextLength,
        warnings,
        progress);
  }

  public LoadOptions withProfile(Profile chosen) {
    return new LoadOptions(
        backend, isa, threads, chosen, programCache, contextLength, warnings, progress);
  }

  public LoadOptions withProgramCache(Path folder) {
    return new LoadOptions(
        backend, isa, threads, profile, Optional.of(folder), contextLength, warnings, progress);
  }

  public LoadOptions withContextLength(int tokens) {
    return new LoadOptions(
        backend, isa, threads, profile, programCache, OptionalInt.of(tokens), warnings, progress);
  }

  public LoadOptions withListeners(Consumer<String> onWarning, Consumer<String> onProgress) {
    return new LoadOptions(
        backend, isa, threads, profile, programCache, contextLength, onWarning, onProgress);
  }
}
