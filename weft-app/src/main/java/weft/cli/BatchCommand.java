package weft.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import weft.generate.Capacity;
import weft.load.BuiltIn;
import weft.load.LanguageModel;
import weft.serve.batch.Batch;
import weft.serve.batch.BatchEvent;
import weft.serve.batch.BatchReport;
import weft.serve.models.Room;
import weft.serve.models.Shelf;
import weft.serve.models.Source;

/** Answers a file of requests. */
@Command(
    name = "batch",
    description = {
      "Answers the requests of a file, one a line as OpenAI's batches have them, as serve would.",
      "What OUT answers already is skipped, so that the same command goes on where it was stopped."
    })
final class BatchCommand implements Callable<Integer> {
  private static final int MOST_PARALLEL = 256;

  /** How long a stopped batch may take to end what it is at. */
  private static final Duration FAREWELL = Duration.ofSeconds(10);

  private final Console console;

  @Parameters(
      arity = "2..3",
      paramLabel = "[MODEL] IN OUT",
      hideParamSyntax = true,
      description =
          "A .gguf file or a folder with config.json and safetensors (default: the built-in model),"
              + " which answers every line whatever model it names; a file of requests; a file for"
              + " the answers.")
  private List<Path> given = new ArrayList<>();

  @Mixin private LoadingOptions loading;

  @Mixin private SpeculateOptions speculation;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      description = "Replies that are made at once (default: ${DEFAULT-VALUE}).")
  private int parallel = 16;

  @Option(
      names = "--kv-memory",
      paramLabel = "SIZE",
      description =
          "Most memory for keys and values of texts, such as 512M or 2G (default: no limit).")
  private @Nullable String kvMemory;

  @Option(names = "--json", description = "Print one JSON document about it at the end.")
  private boolean isJson;

  BatchCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    requireRight();
    var in = given.get(given.size() - 2);
    if (!Files.exists(in)) throw new CliException(in + " does not exist");
    try (var progress = new Progress(console);
        var shelf = new Shelf(List.of(source(progress)), Room.UNBOUNDED, FAREWELL)) {
      var watch = new Watch(progress);
      // Twice as many as are made at once, so that another is always ready.
      var report = run(new Batch(shelf, 2 * parallel, watch::accept), in, given.getLast());
      progress.done();
      print(report, watch.seconds());
    }
    return 0;
  }

  private void requireRight() {
    loading.requireRight();
    speculation.requireRight();
    Ranges.require("--parallel", parallel, 1, MOST_PARALLEL);
    if (kvMemory != null) Sizes.bytes("--kv-memory", kvMemory);
    if (given.stream().anyMatch(path -> path.toString().isEmpty())) {
      throw new UsageException("MODEL, IN or OUT is an empty name");
    }
  }

  private Source source(Progress progress) {
    var model = given.size() == 3 ? Optional.of(given.getFirst()) : Optional.<Path>empty();
    if (model.isPresent()) {
      var name = ServedModels.name(model.get());
      return new Source(name, 0, () -> load(model.get(), progress));
    }
    var file =
        BuiltIn.file(console.settings().cacheFolder())
            .orElseThrow(() -> new UsageException("give a MODEL before IN and OUT"));
    console.say(ModelArgument.NATURE);
    return new Source(ServedModels.BUILT_IN, 0, () -> load(file, progress));
  }

  private LanguageModel load(Path path, Progress progress) {
    var options =
        speculation
            .of(loading.options(path))
            // The file waits, not the lines of it: none is refused for want of a place.
            .withCapacity(Capacity.standard().withParallel(parallel).withQueue(Integer.MAX_VALUE))
            .withListeners(console::say, progress);
    if (kvMemory != null) options = options.withStateMemory(Sizes.bytes("--kv-memory", kvMemory));
    return LanguageModel.load(path, options);
  }

  /** What is told while it runs. Its events come one at a time. */
  private final class Watch {
    private final Progress progress;
    private final long start = System.nanoTime();
    private int lines;
    private int done;
    private int failed;
    private long tokens;

    Watch(Progress progress) {
      this.progress = progress;
    }

    double seconds() {
      return (System.nanoTime() - start) / 1e9;
    }

    void accept(BatchEvent event) {
      switch (event) {
        case BatchEvent.Begun(int all, int known) -> {
          progress.done();
          lines = all;
          done = known;
        }
        case BatchEvent.Answered(_, boolean isGood, int made, _) -> {
          done++;
          if (!isGood) failed++;
          tokens += made;
          progress.accept(
              "%d of %d lines, %d failed, %.1f tokens/s"
                  .formatted(done, lines, failed, tokens / seconds()));
        }
        case BatchEvent.Failed(int number, var failure) ->
            console.say("line %d: %s".formatted(number, Failures.sentence(failure)));
      }
    }
  }

  /** Until all is answered, or the process is told to end: then the output is closed first. */
  private static BatchReport run(Batch batch, Path in, Path out) throws IOException {
    var ended = new CountDownLatch(1);
    var hook =
        Thread.ofPlatform()
            .name("weft-batch-stops")
            .unstarted(
                () -> {
                  batch.stop();
                  try {
                    var _ = ended.await(FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      return batch.run(in, out);
    } finally {
      ended.countDown();
      release(hook);
    }
  }

  private static void release(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // It runs already: the process ends.
    }
  }

  private void print(BatchReport report, double seconds) {
    if (isJson) {
      Json.print(
          console,
          Json.object()
              .put("total", report.lines())
              .put("completed", report.answered())
              .put("failed", report.failed())
              .put("skipped", report.skipped())
              .put("stopped", report.isStopped())
              .put("completion_tokens", report.tokens())
              .put("seconds", Math.round(seconds * 1000) / 1000.0));
    }
    console.say(
        "%d lines: %d answered, %d failed, %d answered before; %d tokens in %.1f s (%.1f tokens/s)"
            .formatted(
                report.lines(),
                report.answered(),
                report.failed(),
                report.skipped(),
                report.tokens(),
                seconds,
                report.tokens() / seconds));
    if (report.isStopped()) console.say("stopped; the same command goes on from here");
  }
}
