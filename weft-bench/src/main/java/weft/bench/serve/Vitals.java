package weft.bench.serve;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * What a server's process holds.
 *
 * @param heap bytes of objects that somebody still names
 * @param resident bytes of memory, whatever they are
 * @param texts those of them that hold keys and values: texts stay for prompts that begin like them
 * @param threads of the operating system
 * @param virtual threads that are not
 * @param replies in the making or waiting for it
 */
record Vitals(long heap, long resident, long texts, int threads, int virtual, int replies) {
  private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)");
  private static final Pattern RESIDENT = Pattern.compile("(?m)^VmRSS:\\s+(\\d+) kB");
  private static final Pattern THREADS = Pattern.compile("(?m)^Threads:\\s+(\\d+)");
  private static final Pattern VIRTUAL = Pattern.compile("\"virtual\": true");
  private static final Pattern REPLIES =
      Pattern.compile("(?m)^weft_engine_(?:waiting|running)(?:\\{[^}]*})? (\\d+)");
  private static final Pattern TEXTS =
      Pattern.compile("(?m)^weft_kv_bytes(?:\\{[^}]*})? ([0-9.E]+)");

  private static final long HEAP_SLACK = 32L << 20;
  private static final long RESIDENT_SLACK = 192L << 20;
  private static final int THREAD_SLACK = 4;

  /** Looks after a collection of garbage; {@code work} is a folder for what tools write. */
  static Vitals of(long process, URI address, Path work) throws IOException, InterruptedException {
    long heap = number(TOTAL, tool(process, "GC.class_histogram"));
    var status = Files.readString(Path.of("/proc/" + process + "/status"));
    var dump = Files.createTempFile(work, "threads", ".json");
    tool(process, "Thread.dump_to_file", "-overwrite", "-format=json", dump.toString());
    int virtual = (int) VIRTUAL.matcher(Files.readString(dump)).results().count();
    Files.delete(dump);
    var metrics = metrics(address);
    return new Vitals(
        heap,
        number(RESIDENT, status) << 10,
        (long) sum(TEXTS, metrics),
        (int) number(THREADS, status),
        virtual,
        (int) sum(REPLIES, metrics));
  }

  private static String tool(long process, String... words)
      throws IOException, InterruptedException {
    var command =
        new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/jcmd", "" + process));
    command.addAll(List.of(words));
    var tool = new ProcessBuilder(command).redirectErrorStream(true).start();
    var said = new String(tool.getInputStream().readAllBytes());
    if (tool.waitFor() != 0) throw new IOException("jcmd " + words[0] + ": " + said.strip());
    return said;
  }

  private static long number(Pattern pattern, String text) throws IOException {
    var matcher = pattern.matcher(text);
    if (!matcher.find()) throw new IOException("nothing like " + pattern + " was told");
    return Long.parseLong(matcher.group(1));
  }

  private static String metrics(URI address) throws IOException, InterruptedException {
    try (var client = HttpClient.newHttpClient()) {
      var request = HttpRequest.newBuilder(address.resolve("/metrics")).build();
      return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
  }

  /** Over all models. */
  private static double sum(Pattern pattern, String metrics) {
    return pattern
        .matcher(metrics)
        .results()
        .mapToDouble(match -> Double.parseDouble(match.group(1)))
        .sum();
  }

  /** Whether nothing is held that was not held before, but for texts. */
  boolean isBackAt(Vitals before) {
    return heap <= before.heap + HEAP_SLACK
        && resident - texts <= before.resident - before.texts + RESIDENT_SLACK
        && threads <= before.threads + THREAD_SLACK
        && virtual <= before.virtual + THREAD_SLACK
        && replies == 0;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%.1f MiB of objects, %.0f MiB resident, %.0f of them texts, %d threads, %d virtual ones, %d replies",
        heap / 1048576.0,
        resident / 1048576.0,
        texts / 1048576.0,
        threads,
        virtual,
        replies);
  }
}
