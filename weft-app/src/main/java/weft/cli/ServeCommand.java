package weft.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import weft.generate.Capacity;
import weft.load.BuiltIn;
import weft.load.LanguageModel;
import weft.serve.Server;
import weft.serve.ServerOptions;
import weft.serve.models.Room;
import weft.serve.models.Shelf;
import weft.serve.models.Source;

/** Serves models. */
@Command(
    name = "serve",
    description = {
      "Serves models to the clients of OpenAI's interface.",
      "Listens to this machine alone unless --host says otherwise; SIGTERM ends it gracefully."
    })
final class ServeCommand implements Callable<Integer> {
  private static final int LAST_PORT = 65_535;
  private static final int MOST_PARALLEL = 256;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Console console;

  @Parameters(
      arity = "0..*",
      paramLabel = "MODEL",
      description =
          "Files (.gguf) or folders with config.json and safetensors (default: the built-in"
              + " model).")
  private List<Path> given = new ArrayList<>();

  @Option(
      names = "--models",
      paramLabel = "DIR",
      description = "Serve every model in this folder, too.")
  private @Nullable Path folder;

  @Mixin private LoadingOptions loading;

  @Option(
      names = "--host",
      paramLabel = "NAME",
      description = "Where to listen (default: ${DEFAULT-VALUE}).")
  private String host = "127.0.0.1";

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "The port; 0 takes any that is free (default: ${DEFAULT-VALUE}).")
  private int port = 8080;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      description = "Replies that a model makes at once (default: ${DEFAULT-VALUE}).")
  private int parallel = 16;

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
      description = "Most memory for the weights of loaded models (default: no limit).")
  private @Nullable String memory;

  ServeCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    requireRight();
    var shelf = new Shelf(sources(), room(), PATIENCE);
    var options = ServerOptions.standard().withHost(host).withPort(port).withLog(console::say);
    var first = shelf.names().getFirst();
    if (folder == null || !given.isEmpty()) shelf.lend(first).ifPresent(Shelf.Lease::close);
    try (var server = Server.start(shelf, options)) {
      announce(server, shelf);
      waitForEnd(server);
    }
    return 0;
  }

  private void requireRight() {
    loading.requireRight();
    Ranges.require("--port", port, 0, LAST_PORT);
    Ranges.require("--parallel", parallel, 1, MOST_PARALLEL);
    if (kvMemory != null) Sizes.bytes("--kv-memory", kvMemory);
    if (memory != null) Sizes.bytes("--memory", memory);
  }

  private Room room() {
    return memory == null
        ? Room.UNBOUNDED
        : new Room(Sizes.bytes("--memory", memory), Integer.MAX_VALUE);
  }

  private List<Source> sources() {
    var sources = new ArrayList<Source>();
    for (var path : given) sources.add(source(ServedModels.name(path), path));
    if (folder != null) {
      for (var path : ServedModels.in(folder)) sources.add(source(ServedModels.name(path), path));
    }
    if (sources.isEmpty() && folder == null) {
      var builtIn =
          BuiltIn.file(console.settings().cacheFolder())
              .orElseThrow(() -> new UsageException("give a MODEL, or --models DIR"));
      console.say(ModelArgument.NATURE);
      sources.add(source(ServedModels.BUILT_IN, builtIn));
    }
    return sources;
  }

  private Source source(String name, Path path) {
    if (!Files.exists(path)) throw new CliException(path + " does not exist");
    return new Source(name, ServedModels.bytes(path), () -> load(path));
  }

  private LanguageModel load(Path path) {
    var options =
        loading
            .options(path)
            .withCapacity(Capacity.standard().withParallel(parallel))
            .withListeners(console::say, stage -> {});
    if (kvMemory != null) options = options.withStateMemory(Sizes.bytes("--kv-memory", kvMemory));
    return LanguageModel.load(path, options);
  }

  private void announce(Server server, Shelf shelf) {
    var address = "http://%s:%d".formatted(host, server.port());
    console.say(
        "serving %s; at most %d replies at once for each model"
            .formatted(String.join(", ", shelf.names()), parallel));
    console.say("listening at " + address);
    console.say(
        "try: curl "
            + address
            + "/v1/chat/completions -H 'Content-Type: application/json' -d"
            + " '{\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]}'");
  }

  /** Until the process is told to end, or the thread is. */
  private static void waitForEnd(Server server) {
    var end = new CountDownLatch(1);
    var hook = Thread.ofPlatform().unstarted(server::close);
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      end.await();
    } catch (InterruptedException e) {
      Runtime.getRuntime().removeShutdownHook(hook);
    }
  }
}
