package weft.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Runs Weft and llama.cpp in turns on the same checkpoints, with the machine's read bandwidth
 * beside them, and prints medians and ratios. Run by {@code weft-bench/peers} from its source.
 */
public final class Peers {
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

  /** One thing that is measured: prompt, generated, depth and sequences at once. */
  private record Test(String name, int prompt, int gen, int depth, int batch) {}

  private static final List<Test> TESTS =
      List.of(
          new Test("pp512", 512, 0, 0, 1),
          new Test("tg64", 0, 64, 0, 1),
          new Test("tg64@4096", 0, 64, 4096, 1),
          new Test("tg32x4", 0, 32, 0, 4),
          new Test("tg32x8", 0, 32, 0, 8));
  private static final List<Test> QUICK =
      List.of(new Test("pp128", 128, 0, 0, 1), new Test("tg32", 0, 32, 0, 1));

  private record Row(
      String checkpoint, Test test, List<Double> weft, List<Double> peer, List<Double> memory) {}

  private final Path root;
  private final Path work;
  private final int repetitions;

  private Peers(Path root, Path work, int repetitions) {
    this.root = root;
    this.work = work;
    this.repetitions = repetitions;
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    var rest = new ArrayList<>(Arrays.asList(arguments));
    var root = Path.of(rest.removeFirst());
    var work = Path.of(rest.removeFirst());
    boolean quick = rest.remove("--quick");
    boolean write = rest.remove("--write");
    int repetitions = quick ? 2 : 3;
    int at = rest.indexOf("--repetitions");
    if (at >= 0) {
      repetitions = Integer.parseInt(rest.remove(at + 1));
      rest.remove(at);
    }
    var peers = new Peers(root, work, repetitions);
    var report = peers.report(rest.isEmpty() ? STANDARD : rest, quick ? QUICK : TESTS);
    System.out.print(report);
    if (write) Files.writeString(root.resolve("docs/performance-table.md"), report);
  }

  private String report(List<String> checkpoints, List<Test> tests)
      throws IOException, InterruptedException {
    var bandwidth = new ArrayList<Double>();
    var rows = new ArrayList<Row>();
    for (var checkpoint : checkpoints) {
      var file = synthesized(checkpoint);
      for (var test : tests) {
        var row =
            new Row(checkpoint, test, new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < repetitions; i++) {
          bandwidth.add(readBandwidth());
          weft(file, test).ifPresent(row.weft::add);
          peer(file, test, row);
          System.err.printf(
              Locale.ROOT, "%s %s %d/%d%n", checkpoint, test.name, i + 1, repetitions);
        }
        rows.add(row);
      }
    }
    return table(rows, bandwidth);
  }

  private Path synthesized(String checkpoint) throws IOException, InterruptedException {
    var parts = checkpoint.split(":");
    var file = work.resolve(checkpoint.replace(':', '-') + ".gguf");
    if (!Files.exists(file)) {
      run(
          List.of(
              root + "/weft", "synth", "--shape", parts[0], "--type", parts[1], file.toString()));
    }
    return file;
  }

  private Optional<Double> weft(Path file, Test test) throws IOException, InterruptedException {
    var out =
        run(
            List.of(
                root + "/weft",
                "bench",
                file.toString(),
                "--json",
                "--repetitions",
                "1",
                "--prompt",
                "" + test.prompt,
                "--gen",
                "" + test.gen,
                "--depth",
                "" + test.depth,
                "--batch",
                "" + test.batch,
                "--threads",
                "" + THREADS));
    return number(out, "tokens_per_second");
  }

  private void peer(Path file, Test test, Row row) throws IOException, InterruptedException {
    var out =
        run(
            List.of(
                "node",
                work.resolve("llama.mjs").toString(),
                file.toString(),
                "" + test.prompt,
                "" + test.gen,
                "" + test.depth,
                "" + test.batch,
                "" + THREADS));
    number(out, test.gen > 0 ? "decode" : "prefill").ifPresent(row.peer::add);
    number(out, "resident_mib").ifPresent(row.memory::add);
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

  private static String run(List<String> command) throws IOException, InterruptedException {
    var process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    process.getOutputStream().close();
    var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(20, TimeUnit.MINUTES) || process.exitValue() != 0) {
      throw new IOException(String.join(" ", command) + " ended with " + process.exitValue());
    }
    return out;
  }

  private String table(List<Row> rows, List<Double> bandwidth) throws IOException {
    var out = new StringBuilder();
    out.append(
        String.format(
            Locale.ROOT,
            "%s, %d threads, %s; read bandwidth %.1f GB/s (median of %d), tokens/s are medians of %d%n%n",
            processor(),
            THREADS,
            LocalDate.now(),
            median(bandwidth),
            bandwidth.size(),
            repetitions));
    out.append("| checkpoint | test | weft | llama.cpp | ratio | share of bandwidth |\n");
    out.append("|---|---|---:|---:|---:|---:|\n");
    for (var row : rows) {
      double weft = median(row.weft);
      double peer = median(row.peer);
      double bytes = Files.size(work.resolve(row.checkpoint.replace(':', '-') + ".gguf"));
      boolean streams = row.test.gen > 0 && row.test.batch == 1 && row.test.depth == 0;
      out.append(
          String.format(
              Locale.ROOT,
              "| %s | %s | %.1f | %.1f | %.2f | %s |%n",
              row.checkpoint,
              row.test.name,
              weft,
              peer,
              weft / peer,
              streams
                  ? String.format(
                      Locale.ROOT, "%.0f%%", 100 * weft * bytes / 1e9 / median(bandwidth))
                  : ""));
    }
    return out.toString();
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
    return sorted.isEmpty() ? Double.NaN : sorted.get(sorted.size() / 2);
  }
}
