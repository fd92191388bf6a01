package weft.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Runs Weft and other programs in turns on the same checkpoints, with the machine's read bandwidth
 * beside them, and prints medians and ratios. Run by {@code weft-bench/peers} from its source.
 */
public final class Peers {
  private static final String BEGIN = "<!-- made by weft-bench/peers -->";
  private static final String END = "<!-- end of what peers made -->";

  private static final List<String> STANDARD =
      List.of(
          "llama-3.2-1b:Q8_0",
          "llama-3.2-1b:Q4_0",
          "llama-3.2-1b:Q4_K_M",
          "llama-3.2-1b:Q6_K",
          "llama-3.2-1b:F16",
          "qwen3-0.6b:Q8_0",
          "qwen3-0.6b:Q4_0",
          "qwen3-0.6b:Q4_K_M",
          "qwen3-0.6b:Q6_K",
          "qwen3-0.6b:F16");
  private static final int THREADS = 2;
  private static final String NATIVE = "--native=";

  private static final String HELP =
      """
      Usage: weft-bench/peers [OPTIONS] [CHECKPOINT ...]
      Runs Weft and llama.cpp in turns on the same checkpoints and prints medians and ratios.
      llama.cpp is a prebuilt library from npm, unless native builds are given.
      A CHECKPOINT is a .gguf file, or SHAPE:TYPE as `weft synth` makes them (default: the ten of
      docs/performance.md).
            --native=NAME=llama-bench
                              A native build of llama.cpp or of a fork, by the path of its
                              llama-bench; may be given several times, a column each.
            --quick           A short prompt and a short reply alone.
            --repetitions=N   How often each test runs in each program (default: 3, quick 2).
            --write           Put the table into docs/performance.md.
        -h, --help            Show this help.
      """;

  private static final List<PeerTask> TESTS =
      List.of(
          new PeerTask("pp512", 512, 0, 0, 1),
          new PeerTask("tg64", 0, 64, 0, 1),
          new PeerTask("tg64@4096", 0, 64, 4096, 1),
          new PeerTask("tg32x4", 0, 32, 0, 4),
          new PeerTask("tg32x8", 0, 32, 0, 8));
  private static final List<PeerTask> QUICK =
      List.of(new PeerTask("pp128", 128, 0, 0, 1), new PeerTask("tg32", 0, 32, 0, 1));

  /** What each gave in all repetitions; a list a peer. */
  private record Figures(List<Double> weft, List<List<Double>> peers, List<Double> shares) {
    static Figures of(int peers) {
      var lists = new ArrayList<List<Double>>();
      for (int i = 0; i < peers; i++) lists.add(new ArrayList<>());
      return new Figures(new ArrayList<>(), lists, new ArrayList<>());
    }
  }

  private record Checkpoint(
      String name, Path file, Map<PeerTask, Figures> rates, Figures first, Figures memory) {
    static Checkpoint of(String name, Path file, int peers) {
      return new Checkpoint(
          name, file, new LinkedHashMap<>(), Figures.of(peers), Figures.of(peers));
    }
  }

  private final Path root;
  private final Path work;
  private final int repetitions;
  private final List<Peer> peers;
  private final List<Double> bandwidth = new ArrayList<>();

  private Peers(Path root, Path work, int repetitions, List<Peer> peers) {
    this.root = root;
    this.work = work;
    this.repetitions = repetitions;
    this.peers = List.copyOf(peers);
  }

  /** What the command line asks for. */
  private record Wanted(
      boolean isQuick,
      boolean isWritten,
      int repetitions,
      List<String> natives,
      List<String> names) {
    static Wanted of(List<String> arguments) {
      boolean isQuick = false;
      boolean isWritten = false;
      int repetitions = 0;
      var natives = new ArrayList<String>();
      var names = new ArrayList<String>();
      for (var argument : arguments) {
        if (argument.equals("--quick")) isQuick = true;
        else if (argument.equals("--write")) isWritten = true;
        else if (argument.matches("--repetitions=[1-9][0-9]{0,2}")) {
          repetitions = Integer.parseInt(argument.substring(argument.indexOf('=') + 1));
        } else if (argument.startsWith(NATIVE)) natives.add(argument.substring(NATIVE.length()));
        else if (isCheckpoint(argument)) names.add(argument);
        else throw new IllegalArgumentException(argument);
      }
      return new Wanted(
          isQuick,
          isWritten,
          repetitions > 0 ? repetitions : isQuick ? 2 : 3,
          natives,
          names.isEmpty() ? STANDARD : names);
    }

    private static boolean isCheckpoint(String argument) {
      return argument.matches("[a-z0-9.-]+:[A-Z0-9_]+") || Files.isRegularFile(Path.of(argument));
    }
  }

  public static void main(String[] arguments) throws InterruptedException {
    var rest = new ArrayList<>(Arrays.asList(arguments));
    var root = Path.of(rest.removeFirst());
    var work = Path.of(rest.removeFirst());
    if (rest.contains("--help") || rest.contains("-h")) {
      System.out.print(HELP);
      return;
    }
    Wanted wanted;
    try {
      wanted = Wanted.of(rest);
    } catch (IllegalArgumentException e) {
      System.err.println(
          "peers: '"
              + e.getMessage()
              + "' is no option, no file and not SHAPE:TYPE; see weft-bench/peers --help");
      System.exit(2);
      return;
    }
    try {
      new Peers(root, work, wanted.repetitions, peers(wanted, work)).measure(wanted);
    } catch (IOException e) {
      System.err.println("peers: " + e.getMessage().strip());
      System.exit(1);
    }
  }

  private static List<Peer> peers(Wanted wanted, Path work)
      throws IOException, InterruptedException {
    if (wanted.natives.isEmpty()) return List.of(new Peer.Prebuilt(work.resolve("llama.mjs")));
    var peers = new ArrayList<Peer>();
    for (var each : wanted.natives) peers.add(Peer.Native.of(each));
    return peers;
  }

  private void measure(Wanted wanted) throws IOException, InterruptedException {
    var measured = new ArrayList<Checkpoint>();
    for (var name : wanted.names) {
      measured.add(measured(name, wanted.isQuick ? QUICK : TESTS));
      // After each, since a whole run takes long: what is there so far is whole in itself.
      var report = report(measured);
      if (wanted.isWritten) write(root.resolve("docs/performance.md"), report);
      if (measured.size() == wanted.names.size()) System.out.print(report);
    }
  }

  private Checkpoint measured(String name, List<PeerTask> tests)
      throws IOException, InterruptedException {
    var given = Path.of(name).toAbsolutePath();
    boolean isFile = Files.isRegularFile(given);
    var checkpoint =
        isFile
            ? Checkpoint.of(given.getFileName().toString(), given, peers.size())
            : Checkpoint.of(name, synthesized(name), peers.size());
    for (int i = 1; i <= repetitions; i++) {
      for (var test : tests) {
        System.err.printf(Locale.ROOT, "%s %s %d/%d%n", name, test.name(), i, repetitions);
        bandwidth.add(readBandwidth());
        var figures = checkpoint.rates.computeIfAbsent(test, t -> Figures.of(peers.size()));
        var weft = weft(checkpoint.file, test).out();
        PeerProcess.number(weft, "tokens_per_second").ifPresent(figures.weft::add);
        PeerProcess.number(weft, "bytes_per_second").ifPresent(bytes -> share(figures, bytes));
        for (int p = 0; p < peers.size(); p++) {
          var peer = peers.get(p);
          tried(peer, () -> peer.rate(checkpoint.file, test, THREADS))
              .ifPresent(figures.peers.get(p)::add);
        }
      }
      first(checkpoint);
    }
    return checkpoint;
  }

  private void share(Figures figures, double bytesPerSecond) {
    figures.shares.add(bytesPerSecond / 1e9 / bandwidth.getLast());
  }

  private Path synthesized(String checkpoint) throws IOException, InterruptedException {
    var parts = checkpoint.split(":");
    var file = work.resolve(checkpoint.replace(':', '-') + ".gguf");
    if (!Files.exists(file)) {
      run(root + "/weft", "synth", "--shape", parts[0], "--type", parts[1], file.toString());
    }
    return file;
  }

  private PeerProcess weft(Path file, PeerTask test) throws IOException, InterruptedException {
    return run(
        root + "/weft",
        "bench",
        file.toString(),
        "--json",
        // Filling the context is most of the work there.
        test.depth() > 0 ? "--repetitions=1" : "--repetitions=2",
        "--prompt=" + test.prompt(),
        "--gen=" + test.gen(),
        "--depth=" + test.depth(),
        "--batch=" + test.batch(),
        "--threads=" + THREADS);
  }

  /** Something that another program is asked for. */
  @FunctionalInterface
  private interface Question<T> {
    Optional<T> ask() throws IOException, InterruptedException;
  }

  /** A program may not know a model, and then its figure stays empty. */
  private static <T> Optional<T> tried(Peer peer, Question<T> question)
      throws InterruptedException {
    try {
      return question.ask();
    } catch (IOException e) {
      System.err.printf(
          "peers: %s failed, its figure is left out: %s%n", peer.name(), e.getMessage());
      return Optional.empty();
    }
  }

  /** From the start of the process to its end after one token behind ten. */
  private void first(Checkpoint checkpoint) throws IOException, InterruptedException {
    var weft =
        run(
            root + "/weft",
            "run",
            checkpoint.file.toString(),
            "--tokens=1,2,3,4,5,6,7,8,9,10",
            "--max-tokens=1",
            "--threads=" + THREADS);
    checkpoint.first.weft.add(weft.seconds());
    checkpoint.memory.weft.add(weft.mebibytes());
    for (int p = 0; p < peers.size(); p++) {
      var peer = peers.get(p);
      var run = tried(peer, () -> peer.first(checkpoint.file, THREADS));
      if (run.isEmpty()) continue;
      checkpoint.first.peers.get(p).add(run.get().seconds());
      checkpoint.memory.peers.get(p).add(run.get().mebibytes());
    }
  }

  /** Two threads summing a buffer far larger than the caches, best of a few passes, in GB/s. */
  private static double readBandwidth() throws InterruptedException {
    var data = new long[THREADS][24 << 20];
    double best = 0;
    for (int pass = 0; pass < 4; pass++) {
      var sums = new long[THREADS];
      var threads = new ArrayList<Thread>();
      long start = System.nanoTime();
      for (int t = 0; t < THREADS; t++) {
        int index = t;
        threads.add(Thread.ofPlatform().start(() -> sums[index] = sum(data[index])));
      }
      for (var thread : threads) thread.join();
      double seconds = (System.nanoTime() - start) / 1e9;
      best = Math.max(best, THREADS * 8.0 * data[0].length / seconds / 1e9);
    }
    return best;
  }

  private static long sum(long[] values) {
    long a = 0;
    for (long v : values) a += v;
    return a;
  }

  private static PeerProcess run(String... command) throws IOException, InterruptedException {
    return PeerProcess.run(List.of(command));
  }

  private String report(List<Checkpoint> checkpoints) throws IOException {
    var out = new StringBuilder();
    line(
        out,
        "%s, %d threads, %s. Read bandwidth %.1f GB/s (median of %d measurements, %.1f to %.1f).",
        processor(),
        THREADS,
        LocalDate.now(),
        median(bandwidth),
        bandwidth.size(),
        bandwidth.stream().mapToDouble(b -> b).min().orElseThrow(),
        bandwidth.stream().mapToDouble(b -> b).max().orElseThrow());
    line(
        out,
        "Medians of %d runs, each of all programs in turn; a ratio is weft's to the column before it.",
        repetitions);
    for (var checkpoint : checkpoints) {
      double size = Files.size(checkpoint.file);
      line(out, "");
      line(out, "**%s**, %.0f MiB", checkpoint.name, size / (1 << 20));
      line(out, "");
      line(out, "| test | weft |%s of the read bandwidth |", heads());
      line(out, "|---|---:|%s---:|", "---:|---:|".repeat(peers.size()));
      checkpoint.rates.forEach(
          (test, figures) ->
              row(
                  out,
                  test.name() + ", tokens/s",
                  "%.1f",
                  figures,
                  test.streams()
                      ? String.format(Locale.ROOT, "%.0f%%", 100 * median(figures.shares))
                      : ""));
      row(out, "start to first token, s", "%.2f", checkpoint.first, "");
      row(out, "resident memory, MiB", "%.2f", checkpoint.memory, "");
    }
    return out.toString();
  }

  private String heads() {
    var heads = new StringBuilder();
    for (var peer : peers) heads.append(" ").append(peer.name()).append(" | ratio |");
    return heads.toString();
  }

  /** Where less is better the ratio is still weft's to the other's. */
  private static void row(
      StringBuilder out, String what, String format, Figures figures, String share) {
    double weft = median(figures.weft);
    var cells = new StringBuilder(String.format(Locale.ROOT, format, weft));
    for (var peer : figures.peers) {
      double theirs = median(peer);
      cells.append(
          Double.isNaN(theirs)
              ? " | |"
              : String.format(Locale.ROOT, " | " + format + " | %.2f", theirs, weft / theirs));
    }
    line(out, "| %s | %s | %s |", what, cells, share);
  }

  private static void line(StringBuilder out, String format, Object... arguments) {
    out.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }

  /** Puts the table into the document, between the marks that are there for it. */
  private static void write(Path document, String report) throws IOException {
    var text = Files.readString(document);
    int from = text.indexOf(BEGIN) + BEGIN.length();
    int to = text.indexOf(END);
    Files.writeString(document, text.substring(0, from) + "\n" + report + text.substring(to));
  }

  private static String processor() throws IOException {
    return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
        .filter(line -> line.startsWith("model name"))
        .map(line -> line.substring(line.indexOf(':') + 2))
        .findFirst()
        .orElse("this machine");
  }

  private static double median(List<Double> values) {
    var sorted = values.stream().sorted().toList();
    if (sorted.isEmpty()) return Double.NaN;
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
