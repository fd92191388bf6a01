package weft.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import weft.generate.Capacity;
import weft.load.BuiltIn;
import weft.load.LanguageModel;
import weft.serve.Server;
import weft.serve.models.Room;
import weft.serve.models.Shelf;
import weft.serve.models.Source;
import weft.text.tokenizer.Tokenizer;

/** Serves models. */
@Command(
    name = "serve",
    description = {
      "Serves models to the clients of OpenAI's, Anthropic's and Ollama's interfaces, and a page to"
          + " chat with.",
      "Listens to this machine alone unless --host says otherwise; SIGTERM ends it gracefully."
    })
final class ServeCommand implements Callable<Integer> {
  private static final int MOST_PARALLEL = 256;
  private static final int MOST_WAITING = 65_536;
  private static final int MOST_LOADED = 1024;

  /** How long a model waits for the room of busy ones. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** How long a fresh model may take to learn what its steps take. */
  private static final Duration REHEARSAL = Duration.ofSeconds(3);

  /** Helidon's words, which may be a client's; a logger that nobody holds is forgotten. */
  private static final Logger HELIDON = Logger.getLogger("io.helidon");

  private final Console console;

  @Parameters(
      arity = "0..*",
      paramLabel = "MODEL",
      description =
          "Files (.gguf) or folders with config.json and safetensors (default: the built-in"
              + " model). The first is loaded at once, others when they are asked for.")
  private List<Path> given = new ArrayList<>();

  @Option(
      names = "--models",
      paramLabel = "DIR",
      description = "Serve every model in this folder, too.")
  private @Nullable Path folder;

  @Mixin private LoadingOptions loading;

  @Mixin private ServeOptions serving;

  @Mixin private SpeculateOptions speculation;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      description = "Replies that a model makes at once (default: ${DEFAULT-VALUE}).")
  private int parallel = 16;

  @Option(
      names = "--queue",
      paramLabel = "N",
      description =
          "Requests that wait for a model; one more is refused with 429 (default:"
              + " ${DEFAULT-VALUE}).")
  private int queue = 512;

  @Option(
      names = "--kv-memory",
      paramLabel = "SIZE",
      description =
          "Most memory for keys and values of a model's texts, such as 512M or 2G (default: no"
              + " limit).")
  private @Nullable String kvMemory;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description =
          "Most memory for the weights of loaded models; the least recently used makes room"
              + " (default: no limit).")
  private @Nullable String memory;

  @Option(
      names = "--max-models",
      paramLabel = "N",
      description = "Most models that are loaded at once (default: no limit).")
  private int mostModels = MOST_LOADED;

  ServeCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    requireRight();
    HELIDON.setLevel(Level.OFF);
    var options = serving.options(console);
    var shelf = new Shelf(sources(), room(), PATIENCE);
    // Who names a model wants to know at once whether it can be had.
    if (folder == null || !given.isEmpty()) {
      shelf.lend(shelf.names().getFirst()).ifPresent(Shelf.Lease::close);
    }
    try (var server = Server.start(shelf, options)) {
      announce(server, shelf);
      waitForEnd(server);
    }
    return 0;
  }

  private void requireRight() {
    loading.requireRight();
    serving.requireRight();
    speculation.requireRight();
    Ranges.require("--parallel", parallel, 1, MOST_PARALLEL);
    Ranges.require("--queue", queue, 0, MOST_WAITING);
    Ranges.require("--max-models", mostModels, 1, MOST_LOADED);
    if (kvMemory != null) Sizes.bytes("--kv-memory", kvMemory);
    if (memory != null) Sizes.bytes("--memory", memory);
  }

  private Room room() {
    return new Room(memory == null ? Long.MAX_VALUE : Sizes.bytes("--memory", memory), mostModels);
  }

  private List<Source> sources() {
    var paths = new ArrayList<Path>(given);
    if (folder != null) paths.addAll(ServedModels.in(folder));
    if (paths.isEmpty() && folder == null) return List.of(builtIn());
    if (paths.isEmpty()) throw new CliException(folder + " has no model");
    return paths.stream().map(path -> source(ServedModels.name(path), path)).toList();
  }

  private Source builtIn() {
    var file =
        BuiltIn.file(console.settings().cacheFolder())
            .orElseThrow(() -> new UsageException("give a MODEL, or --models DIR"));
    serving.say(console, ModelArgument.NATURE);
    return source(ServedModels.BUILT_IN, file);
  }

  private Source source(String name, Path path) {
    if (!Files.exists(path)) throw new CliException(path + " does not exist");
    return new Source(name, ServedModels.bytes(path), () -> load(name, path));
  }

  private LanguageModel load(String name, Path path) {
    var options =
        speculation
            .of(loading.options(path))
            .withCapacity(Capacity.standard().withParallel(parallel).withQueue(queue))
            .withListeners(warning -> serving.say(console, name + ": " + warning), stage -> {});
    if (kvMemory != null) options = options.withStateMemory(Sizes.bytes("--kv-memory", kvMemory));
    var model = LanguageModel.load(path, options);
    try {
      warm(model);
      return model;
    } catch (RuntimeException | Error e) {
      model.close();
      throw e;
    }
  }

  /** What the first requests would compile, read and learn is there before they come. */
  private static void warm(LanguageModel model) {
    var bos = model.text().tokenizer().map(Tokenizer::bos).orElse(OptionalInt.empty());
    model.generate(model.request(bos.orElse(0)).ignoringEnds().withMaxTokens(2));
    model.rehearse(REHEARSAL);
  }

  private void announce(Server server, Shelf shelf) {
    var address = serving.address(server.port());
    var context =
        shelf.states().stream()
            .filter(status -> status.contextLength() > 0)
            .map(status -> " (context %d)".formatted(status.contextLength()))
            .findFirst()
            .orElse("");
    serving.say(
        console,
        "serving %s%s; at most %d replies at once, %d waiting"
            .formatted(String.join(", ", shelf.names()), context, parallel, queue));
    serving.say(console, "listening at " + address);
    serving.say(
        console,
        "try: curl "
            + (address.startsWith("https") ? "-k " : "")
            + address
            + "/v1/chat/completions -H 'Content-Type: application/json'"
            + (serving.wantsKeys(console) ? " -H \"Authorization: Bearer $WEFT_API_KEY\"" : "")
            + " -d '{\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]}'");
  }

  /** Until the process is told to end, or the thread is. */
  private static void waitForEnd(Server server) {
    var end = new CountDownLatch(1);
    var hook =
        Thread.ofPlatform()
            .name("weft-leaves")
            .unstarted(
                () -> {
                  server.close();
                  // A server that was told to end, and has, is done; the signal's status is not.
                  Runtime.getRuntime().halt(0);
                });
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      end.await();
    } catch (InterruptedException e) {
      Runtime.getRuntime().removeShutdownHook(hook);
    }
  }
}
