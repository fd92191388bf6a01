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
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Runs Weft and llama.cpp in turns on the same checkpoints, with the machine's read bandwidth
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

  private static final String HELP =
      """
      Usage: weft-bench/peers [OPTIONS] [CHECKPOINT ...]
      Runs Weft and llama.cpp in turns on the same checkpoints and prints medians and ratios.
      A CHECKPOINT is a .gguf file, or SHAPE:TYPE as `weft synth` makes them (default: the ten of
      docs/performance.md).
            --quick           A short prompt and a short reply alone.
            --repetitions=N   How often each test runs in both programs (default: 3, quick 2).
            --write           Put the table into docs/performance.md.
        -h, --help            Show this help.
      """;

  /** One thing that is measured: prompt, generated, depth and sequences at once. */
  private record Test(String name, int prompt, int gen, int depth, int batch) {
    /** Whether the weights' way from memory is all that bounds it. */
    boolean streams() {
      return gen > 0 && batch == 1 && depth == 0;
    }
  }

  private static final List<Test> TESTS =
      List.of(
          new Test("pp512", 512, 0, 0, 1),
          new Test("tg64", 0, 64, 0, 1),
          new Test("tg64@4096", 0, 64, 4096, 1),
          new Test("tg32x4", 0, 32, 0, 4),
          new Test("tg32x8", 0, 32, 0, 8));
  private static final List<Test> QUICK =
      List.of(new Test("pp128", 128, 0, 0, 1), new Test("tg32", 0, 32, 0, 1));

  /** What both gave in all repetitions. */
  private record Pair(List<Double> weft, List<Double> peer, List<Double> shares) {
    Pair() {
      this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }
  }

  private record Checkpoint(
      String name, Path file, Map<Test, Pair> rates, Pair first, Pair memory) {
    Checkpoint(String name, Path file) {
      this(name, file, new LinkedHashMap<>(), new Pair(), new Pair());
    }
  }

  /** How a process ended: what it printed, how long it ran and how large it got. */
  private record Run(String out, double seconds, double mebibytes) {}

  private final Path root;
  private final Path work;
  private final int repetitions;
  private final List<Double> bandwidth = new ArrayList<>();

  private Peers(Path root, Path work, int repetitions) {
    this.root = root;
    this.work = work;
    this.repetitions = repetitions;
  }

  /** What the command line asks for. */
  private record Wanted(boolean isQuick, boolean isWritten, int repetitions, List<String> names) {
    static Wanted of(List<String> arguments) {
      boolean isQuick = false;
      boolean isWritten = false;
      int repetitions = 0;
      var names = new ArrayList<String>();
      for (var argument : arguments) {
        if (argument.equals("--quick")) isQuick = true;
        else if (argument.equals("--write")) isWritten = true;
        else if (argument.matches("--repetitions=[1-9][0-9]{0,2}")) {
          repetitions = Integer.parseInt(argument.substring(argument.indexOf('=') + 1));
        } else if (isCheckpoint(argument)) names.add(argument);
        else throw new IllegalArgumentException(argument);
      }
      return new Wanted(
          isQuick,
          isWritten,
          repetitions > 0 ? repetitions : isQuick ? 2 : 3,
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
      new Peers(root, work, wanted.repetitions).measure(wanted);
    } catch (IOException e) {
      System.err.println("peers: " + e.getMessage().strip());
      System.exit(1);
    }
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

  private Checkpoint measured(String name, List<Test> tests)
      throws IOException, InterruptedException {
    var given = Path.of(name);
    boolean isFile = Files.isRegularFile(given);
    var checkpoint =
        isFile
            ? new Checkpoint(given.getFileName().toString(), given)
            : new Checkpoint(name, synthesized(name));
    for (int i = 1; i <= repetitions; i++) {
      for (var test : tests) {
        System.err.printf(Locale.ROOT, "%s %s %d/%d%n", name, test.name, i, repetitions);
        bandwidth.add(readBandwidth());
        var pair = checkpoint.rates.computeIfAbsent(test, t -> new Pair());
        var weft = weft(checkpoint.file, test);
        number(weft.out, "tokens_per_second").ifPresent(pair.weft::add);
        number(weft.out, "bytes_per_second").ifPresent(bytes -> share(pair, bytes));
        peer(checkpoint.file, test).ifPresent(pair.peer::add);
      }
      first(checkpoint);
    }
    return checkpoint;
  }

  private void share(Pair pair, double bytesPerSecond) {
    pair.shares.add(bytesPerSecond / 1e9 / bandwidth.getLast());
  }

  private Path synthesized(String checkpoint) throws IOException, InterruptedException {
    var parts = checkpoint.split(":");
    var file = work.resolve(checkpoint.replace(':', '-') + ".gguf");
    if (!Files.exists(file)) {
      run(root + "/weft", "synth", "--shape", parts[0], "--type", parts[1], file.toString());
    }
    return file;
  }

  private Run weft(Path file, Test test) throws IOException, InterruptedException {
    return run(
        root + "/weft",
        "bench",
        file.toString(),
        "--json",
        // Filling the context is most of the work there.
        test.depth > 0 ? "--repetitions=1" : "--repetitions=2",
        "--prompt=" + test.prompt,
        "--gen=" + test.gen,
        "--depth=" + test.depth,
        "--batch=" + test.batch,
        "--threads=" + THREADS);
  }

  private Optional<Double> peer(Path file, Test test) throws IOException, InterruptedException {
    return llama(
            file, "" + test.prompt, "" + test.gen, "" + test.depth, "" + test.batch, "" + THREADS)
        .flatMap(run -> number(run.out, test.gen > 0 ? "decode" : "prefill"));
  }

  /** llama.cpp on a file; it may not know the model, and then its column stays empty. */
  private Optional<Run> llama(Path file, String... arguments)
      throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("node", work.resolve("llama.mjs").toString()));
    command.add(file.toString());
    command.addAll(List.of(arguments));
    try {
      return Optional.of(run(command.toArray(String[]::new)));
    } catch (IOException e) {
      System.err.println("peers: llama.cpp failed, its figure is left out: " + e.getMessage());
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
    checkpoint.first.weft.add(weft.seconds);
    checkpoint.memory.weft.add(weft.mebibytes);
    llama(checkpoint.file, "first", "" + THREADS)
        .ifPresent(
            peer -> {
              checkpoint.first.peer.add(peer.seconds);
              checkpoint.memory.peer.add(peer.mebibytes);
            });
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

  private static Optional<Double> number(String json, String key) {
    var match = Pattern.compile("\"" + key + "\"\\s*:\\s*([0-9.eE+-]+)").matcher(json);
    return match.find() ? Optional.of(Double.parseDouble(match.group(1))) : Optional.empty();
  }

  private static Run run(String... command) throws IOException, InterruptedException {
    long start = System.nanoTime();
    var out = Files.createTempFile("peers", ".out");
    var error = Files.createTempFile("peers", ".err");
    var process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(error.toFile())
            .start();
    process.getOutputStream().close();
    double mebibytes = 0;
    while (!process.waitFor(10, TimeUnit.MILLISECONDS)) {
      mebibytes = Math.max(mebibytes, highWater(process.pid()));
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    if (process.exitValue() != 0) {
      throw new IOException(String.join(" ", command) + ": " + Files.readString(error));
    }
    var run = new Run(Files.readString(out), seconds, mebibytes);
    Files.delete(out);
    Files.delete(error);
    return run;
  }

  /** The most memory that a process has had, in MiB; 0 where it is gone already. */
  private static double highWater(long pid) {
    try {
      var match =
          Pattern.compile("VmHWM:\\s+(\\d+)")
              .matcher(Files.readString(Path.of("/proc/" + pid + "/status")));
      return match.find() ? Double.parseDouble(match.group(1)) / 1024 : 0;
    } catch (IOException e) {
      return 0;
    }
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
    line(out, "Medians of %d runs, each of both programs in turn.", repetitions);
    for (var checkpoint : checkpoints) {
      double size = Files.size(checkpoint.file);
      line(out, "");
      line(out, "**%s**, %.0f MiB", checkpoint.name, size / (1 << 20));
      line(out, "");
      line(out, "| test | weft | llama.cpp | ratio | of the read bandwidth |");
      line(out, "|---|---:|---:|---:|---:|");
      checkpoint.rates.forEach(
          (test, pair) -> {
            double weft = median(pair.weft);
            double peer = median(pair.peer);
            line(
                out,
                "| %s, tokens/s | %.1f | %.1f | %.2f | %s |",
                test.name,
                weft,
                peer,
                weft / peer,
                test.streams()
                    ? String.format(Locale.ROOT, "%.0f%%", 100 * median(pair.shares))
                    : "");
          });
      lower(out, "start to first token, s", checkpoint.first);
      lower(out, "resident memory, MiB", checkpoint.memory);
    }
    return out.toString();
  }

  /** A row where less is better; the ratio is still weft's to llama.cpp's. */
  private static void lower(StringBuilder out, String what, Pair pair) {
    double weft = median(pair.weft);
    double peer = median(pair.peer);
    line(out, "| %s | %.2f | %.2f | %.2f | |", what, weft, peer, weft / peer);
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
