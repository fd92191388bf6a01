package weft.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import weft.generate.Capacity;
import weft.generate.Engine;
import weft.generate.EngineReport;
import weft.generate.Model;
import weft.generate.Recompute;
import weft.generate.Request;
import weft.generate.Ticket;
import weft.load.Check;
import weft.load.LanguageModel;
import weft.load.LoadOptions;
import weft.load.Trace;

/** What every command that runs one model takes: the model, and how it is loaded and watched. */
final class ModelOptions {
  private static final Capacity ONE_AT_A_TIME = Capacity.standard().withParallel(1);

  @Mixin private ModelArgument model;

  @Mixin private LoadingOptions loading;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description =
          "Most memory for keys and values of texts, such as 512M or 2G (default: no limit).")
  private @Nullable String memory;

  @Option(
      names = "--no-cache",
      description = "Recompute the whole text for each token: slow, the oracle of every cache.")
  private boolean isRecomputing;

  @Option(
      names = "--trace",
      description = "Print where the time went, operation by operation, when done.")
  private boolean isTracing;

  @Option(
      names = "--debug-layers",
      description = "Print the range of what leaves each layer on the prompt.")
  private boolean isShowingLayers;

  ModelOptions() {}

  /**
   * A loaded model, how long that took, and the progress that goes on until it has said something;
   * closing it closes all of them.
   *
   * @param recomputing makes the replies where no cache may
   */
  record Opened(
      LanguageModel language,
      Model model,
      Optional<Engine> recomputing,
      Duration loading,
      Optional<Trace> trace,
      Progress progress)
      implements AutoCloseable {
    Ticket submit(Request request) {
      return recomputing
          .map(engine -> engine.submit(request))
          .orElseGet(() -> language.submit(request));
    }

    EngineReport report() {
      return recomputing.map(Engine::report).orElseGet(language::report);
    }

    @Override
    public void close() {
      progress.close();
      recomputing.ifPresent(Engine::close);
      language.close();
    }
  }

  Opened open(Console console) {
    return open(console, UnaryOperator.identity());
  }

  /** Loads the model as its options say, and as {@code also} has them beside. */
  Opened open(Console console, UnaryOperator<LoadOptions> also) {
    requireRight();
    var path = model.path(console);
    long start = System.nanoTime();
    var progress = new Progress(console);
    try {
      var options = also.apply(options(path)).withListeners(console::say, progress);
      var language = LanguageModel.load(path, options);
      var taken = Duration.ofNanos(System.nanoTime() - start);
      var running = isRecomputing ? new Recompute(language.model()) : language.model();
      var engine =
          isRecomputing
              ? Optional.of(Engine.start(running, ONE_AT_A_TIME))
              : Optional.<Engine>empty();
      var trace = isTracing ? Optional.of(language.trace()) : Optional.<Trace>empty();
      return new Opened(language, running, engine, taken, trace, progress);
    } catch (RuntimeException | Error e) {
      progress.close();
      throw e;
    }
  }

  /** What the model would need; nothing of it is loaded. */
  Check check(Console console) {
    requireRight();
    var path = model.path(console);
    return Check.of(path, options(path).withListeners(console::say, stage -> {}));
  }

  /** What people know a model by. */
  static String name(LanguageModel model) {
    return String.valueOf(model.checkpoint().path().getFileName());
  }

  /** What to type for another command with the same model. */
  String commandLine(Console console, String command) {
    var name = console.settings().command() + " " + command;
    return model.given().map(path -> name + " " + path).orElse(name);
  }

  /** Prints what was asked for about the layers; the text runs through them once more for it. */
  void reportLayers(Opened opened, int[] prompt, Console console) {
    if (isShowingLayers) Reports.layers(opened.language.layers(prompt), console.err());
  }

  /** Prints what was asked for about the time, once the work is done. */
  void reportTime(Opened opened, Console console) {
    opened.trace.ifPresent(
        trace -> {
          Reports.trace(trace, console.err());
          Reports.guesses(opened.report(), console.err());
          opened.language.experts().ifPresent(seen -> Reports.experts(seen, console.err()));
        });
  }

  private LoadOptions options(Path path) {
    var options = loading.options(path).withCapacity(ONE_AT_A_TIME);
    return memory == null ? options : options.withStateMemory(Sizes.bytes("--memory", memory));
  }

  /** Wrong usage is said before a model is looked for. */
  private void requireRight() {
    loading.requireRight();
    if (memory != null) Sizes.bytes("--memory", memory);
  }
}
