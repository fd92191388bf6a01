package weft.load;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import weft.backend.Backend;
import weft.format.Loading;

/**
 * What a caller may choose when loading: the device, the profile, where compiled programs are kept,
 * how long a text may become, how the tensors are had, and who hears warnings and progress.
 */
public record LoadOptions(
    String backend,
    String isa,
    OptionalInt threads,
    Profile profile,
    Optional<Path> programCache,
    OptionalInt contextLength,
    Optional<Loading> loading,
    Consumer<String> warnings,
    Consumer<String> progress) {
  /** Longer than any text that a model was made for. */
  public static final int LONGEST_CONTEXT = 1 << 24;

  public LoadOptions {
    threads.ifPresent(Backend.Options::requireThreads);
    if (contextLength.isPresent()) {
      int length = contextLength.getAsInt();
      if (length < 1) throw new LoadException("a context holds at least 1 token, got " + length);
      if (length > LONGEST_CONTEXT) {
        throw new LoadException(
            "a context holds at most " + LONGEST_CONTEXT + " tokens, got " + length);
      }
    }
    if (programCache.isPresent() && programCache.get().toString().isEmpty()) {
      throw new LoadException("the folder for compiled programs has no name");
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
        Optional.empty(),
        warning -> {},
        progress -> {});
  }

  public LoadOptions withBackend(String name) {
    return new LoadOptions(
        name, isa, threads, profile, programCache, contextLength, loading, warnings, progress);
  }

  public LoadOptions withIsa(String name) {
    return new LoadOptions(
        backend, name, threads, profile, programCache, contextLength, loading, warnings, progress);
  }

  public LoadOptions withThreads(int count) {
    return new LoadOptions(
        backend,
        isa,
        OptionalInt.of(count),
        profile,
        programCache,
        contextLength,
        loading,
        warnings,
        progress);
  }

  public LoadOptions withProfile(Profile chosen) {
    return new LoadOptions(
        backend, isa, threads, chosen, programCache, contextLength, loading, warnings, progress);
  }

  public LoadOptions withProgramCache(Path folder) {
    return new LoadOptions(
        backend,
        isa,
        threads,
        profile,
        Optional.of(folder),
        contextLength,
        loading,
        warnings,
        progress);
  }

  public LoadOptions withContextLength(int tokens) {
    return new LoadOptions(
        backend,
        isa,
        threads,
        profile,
        programCache,
        OptionalInt.of(tokens),
        loading,
        warnings,
        progress);
  }

  /** How the tensors are had; where nothing is said, the profile's way, else mapped. */
  public LoadOptions withLoading(Loading way) {
    return new LoadOptions(
        backend,
        isa,
        threads,
        profile,
        programCache,
        contextLength,
        Optional.of(way),
        warnings,
        progress);
  }

  public LoadOptions withListeners(Consumer<String> onWarning, Consumer<String> onProgress) {
    return new LoadOptions(
        backend,
        isa,
        threads,
        profile,
        programCache,
        contextLength,
        loading,
        onWarning,
        onProgress);
  }
}
