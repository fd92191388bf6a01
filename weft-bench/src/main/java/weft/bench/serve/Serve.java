package weft.bench.serve;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Drives Weft's server and llama.cpp's in turns with the same file and the same load, and prints
 * what clients met. Run by {@code weft-bench/serve} from its source.
 */
public final class Serve {
  private static final int THREADS = 2;
  private static final int MOST_CLIENTS = 16;

  private static final String HELP =
      """
      Usage: weft-bench/serve [OPTIONS] [CHECKPOINT]
      Drives Weft's server and llama.cpp's in turns with the same file and the same load.
      CHECKPOINT is a .gguf file, or SHAPE:TYPE as `weft synth` makes them (default:
      llama-3.2-1b:Q4_K_M).
            --peer=FILE       llama.cpp's llama-server; without it Weft runs alone.
            --repetitions=N   How often each load runs on both (default: 2).
            --quick           Short prompts of 1 and 8 clients alone.
            --only=NAME       The loads of this name alone: short, long or shared.
            --write           Put the table into docs/performance.md.
        -h, --help            Show this help.
      """;

  private static final List<Load> LOADS =
      List.of(
          new Load("short", 1, 64, 0, 64, 2),
          new Load("short", 4, 64, 0, 64, 2),
          new Load("short", 8, 64, 0, 64, 2),
          new Load("short", 16, 64, 0, 64, 1),
          new Load("long", 1, 768, 0, 32, 1),
          new Load("long", 8, 768, 0, 32, 1),
          new Load("shared", 1, 768, 704, 32, 2),
          new Load("shared", 8, 768, 704, 32, 2));

  private static final List<Load> QUICK =
      List.of(new Load("short", 1, 64, 0, 64, 1), new Load("short", 8, 64, 0, 64, 1));

  private record Wanted(
      String checkpoint, String peer, int repetitions, List<Load> loads, boolean isWritten) {
    static Wanted of(List<String> arguments) {
      var wanted = new Wanted("llama-3.2-1b:Q4_K_M", "", 2, LOADS, false);
      for (var word : arguments) wanted = wanted.with(word);
      return wanted;
    }

    private Wanted with(String word) {
      var value = word.substring(word.indexOf('=') + 1);
      if (word.equals("--quick")) return withLoads(QUICK);
      if (word.equals("--write")) return new Wanted(checkpoint, peer, repetitions, loads, true);
      var named = LOADS.stream().filter(load -> word.equals("--only=" + load.name())).toList();
      if (!named.isEmpty()) return withLoads(named);
      if (word.matches("--repetitions=[1-9][0-9]{0,2}")) {
        return new Wanted(checkpoint, peer, Integer.parseInt(value), loads, isWritten);
      }
      if (word.startsWith("--peer=") && Files.isExecutable(Path.of(value))) {
        return new Wanted(checkpoint, value, repetitions, loads, isWritten);
      }
      if (word.matches("[a-z0-9.-]+:[A-Z0-9_]+") || Files.isRegularFile(Path.of(word))) {
        return new Wanted(word, peer, repetitions, loads, isWritten);
      }
      throw new IllegalArgumentException(word);
    }

    private Wanted withLoads(List<Load> chosen) {
      return new Wanted(checkpoint, peer, repetitions, chosen, isWritten);
    }
  }

  private final Path root;
  private final Path work;

  private Serve(Path root, Path work) {
    this.root = root;
    this.work = work;
  }

  public static void main(String[] arguments) throws InterruptedException {
    var rest = new ArrayList<>(Arrays.asList(arguments));
    var root = Path.of(rest.removeFirst());
    var work = Path.of(rest.removeFirst());
    if (rest.contains("--help") || rest.contains("-h")) {
      System.out.print(HELP);
      return;
    }
    try {
      new Serve(root, work).measure(Wanted.of(rest));
    } catch (IllegalArgumentException e) {
      System.err.println(
          "serve: '%s' is no option, no file, no program and not SHAPE:TYPE; see weft-bench/serve --help"
              .formatted(e.getMessage()));
      System.exit(2);
    } catch (IOException | IllegalStateException e) {
      System.err.println("serve: " + e.getMessage());
      System.exit(1);
    }
  }

  private void measure(Wanted wanted) throws IOException, InterruptedException {
    var file = file(wanted.checkpoint);
    var loads = wanted.loads;
    Map<Load, ServeReport.Pair> met = new LinkedHashMap<>();
    try (var servers = servers(file, loads, wanted.peer)) {
      servers.warmUp();
      for (int i = 1; i <= wanted.repetitions; i++) {
        for (var load : loads) {
          System.err.printf(
              Locale.ROOT, "%s x%d %d/%d%n", load.name(), load.clients(), i, wanted.repetitions);
          var pair = met.computeIfAbsent(load, _ -> new ServeReport.Pair());
          long seed = load.hashCode() + 31L * i;
          pair.weft().add(run(load, servers.weft, seed));
          for (var peer : servers.peers) pair.peer().add(run(load, peer, seed));
        }
      }
    }
    var report = ServeReport.of(wanted.checkpoint, THREADS, met);
    System.out.print(report);
    if (wanted.isWritten) ServeReport.write(root.resolve("docs/performance.md"), report);
  }

  /** Says at once what came of it: a table that is never finished says nothing. */
  private static Load.Outcome run(Load load, Server server, long seed) throws InterruptedException {
    var outcome = load.run(server, seed);
    System.err.printf(
        Locale.ROOT, "  %s: %.1f tokens/s%n", server.name(), outcome.tokensPerSecond());
    return outcome;
  }

  /** Those that are measured, all of them running: who is not asked takes no time. */
  private record Servers(Server weft, List<Server> peers) implements AutoCloseable {
    void warmUp() {
      weft.ask(new int[] {400, 401, 402}, 16);
      peers.forEach(peer -> peer.ask(new int[] {400, 401, 402}, 16));
    }

    @Override
    public void close() {
      weft.close();
      peers.forEach(Server::close);
    }
  }

  private Servers servers(Path file, List<Load> loads, String peer)
      throws IOException, InterruptedException {
    var own =
        List.of(
            root + "/weft",
            "serve",
            file.toString(),
            "--port=PORT",
            "--threads=" + THREADS,
            "--parallel=" + MOST_CLIENTS);
    var weft = Server.start("weft", own, work.resolve("weft.log"));
    if (peer.isEmpty()) return new Servers(weft, List.of());
    int longest = loads.stream().mapToInt(load -> load.prompt() + load.reply()).max().orElseThrow();
    var theirs =
        List.of(
            peer,
            "-m",
            file.toString(),
            "--port",
            "PORT",
            "-t",
            "" + THREADS,
            "-np",
            "" + MOST_CLIENTS,
            "-c",
            "" + MOST_CLIENTS * (longest + 64));
    try {
      return new Servers(
          weft, List.of(Server.start("llama-server", theirs, work.resolve("peer.log"))));
    } catch (IOException | InterruptedException | RuntimeException e) {
      weft.close();
      throw e;
    }
  }

  private Path file(String checkpoint) throws IOException, InterruptedException {
    if (Files.isRegularFile(Path.of(checkpoint))) return Path.of(checkpoint);
    var parts = checkpoint.split(":");
    var file = work.resolve(checkpoint.replace(':', '-') + ".gguf");
    if (!Files.exists(file)) {
      var made =
          new ProcessBuilder(
                  root + "/weft", "synth", "--shape", parts[0], "--type", parts[1], file.toString())
              .inheritIO()
              .start()
              .waitFor();
      if (made != 0) throw new IOException("weft synth could not make " + checkpoint);
    }
    return file;
  }
}
