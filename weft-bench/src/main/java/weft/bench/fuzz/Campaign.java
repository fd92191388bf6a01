package weft.bench.fuzz;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import weft.bench.fuzz.Slot.Counter;

/**
 * Workers, each a process, and the one who watches them: starts another for one that died, and
 * finds out which input it was.
 */
final class Campaign {
  private static final long LOOK_MILLIS = 100;
  private static final long REPORT_MILLIS = 10_000;

  /**
   * What the whole process may compute during one input; what that took itself is measured then.
   */
  private static final Duration SUSPICIOUS_WORK = Duration.ofSeconds(3);

  /** And how long it may wait for whatever. */
  private static final long SUSPICIOUS_MILLIS = 60_000;

  /** Whoever has so many findings needs a person, not more of them. */
  private static final int ENOUGH_FINDINGS = 20;

  private final Options options;
  private final List<Target> targets;
  private final PrintStream out;
  private final Findings findings;
  private final Suspects suspects;
  private final List<Watched> workers = new ArrayList<>();
  private final long[][] earlier = new long[Counter.values().length][Slot.MOST_TARGETS];

  /** A worker that runs, its page, and when we first saw what it is at. */
  private static final class Watched {
    final int number;
    final Process process;
    final Slot slot;
    private long input;
    private Duration work = Duration.ZERO;

    Watched(int number, Process process, Slot slot) {
      this.number = number;
      this.process = process;
      this.slot = slot;
    }

    /** Whether it has been at one input for too long; a busy machine is no reason. */
    boolean isStuck() {
      long running = slot.running();
      if (running == 0 || running != input) {
        input = running;
        work = computed();
        return false;
      }
      return computed().minus(work).compareTo(SUSPICIOUS_WORK) > 0
          || System.currentTimeMillis() - running > SUSPICIOUS_MILLIS;
    }

    private Duration computed() {
      return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }
  }

  Campaign(Options options, List<Target> targets, PrintStream out) {
    this.options = options;
    this.targets = targets;
    this.out = out;
    this.findings = new Findings(options.findings());
    this.suspects = new Suspects(options, findings, out);
  }

  /** Whether it ended without a finding. */
  boolean run() throws IOException, InterruptedException {
    Files.createDirectories(options.work());
    out.printf(
        "fuzz: seed %d, %d workers, in %s%n", options.seed(), options.threads(), options.work());
    var classes = options.work().resolve("classes");
    int places = Probes.write(classPath(), classes);
    out.printf("fuzz: %d branches watched%n", places);
    for (var target : targets) suspects.forgetMended(target);
    long start = System.currentTimeMillis();
    long until = start + Math.round(options.minutes() * 60_000);
    for (int i = 0; i < options.threads(); i++) workers.add(start(i, options.seed() + i, until));
    long nextReport = start + REPORT_MILLIS;
    while (!workers.isEmpty()) {
      Thread.sleep(LOOK_MILLIS);
      look(until);
      if (System.currentTimeMillis() >= nextReport) {
        report(System.currentTimeMillis() - start);
        nextReport += REPORT_MILLIS;
      }
    }
    return summary(System.currentTimeMillis() - start);
  }

  private void look(long until) throws IOException, InterruptedException {
    setAside();
    for (int i = 0; i < workers.size(); i++) {
      var worker = workers.get(i);
      long now = System.currentTimeMillis();
      boolean isStuck = worker.isStuck();
      if (worker.process.isAlive() && !isStuck) continue;
      worker.process.destroyForcibly().waitFor();
      boolean isDone = !isStuck && worker.process.exitValue() == 0;
      if (!isDone) {
        suspects.examine(
            targets.get(worker.slot.target()), worker.slot.input(), output(worker.number));
      }
      for (int t = 0; t < targets.size(); t++) {
        for (var counter : Counter.values()) {
          earlier[counter.ordinal()][t] += worker.slot.count(counter, t);
        }
      }
      worker.slot.close();
      if (isDone || now >= until) {
        workers.remove(i--);
      } else {
        workers.set(i, start(worker.number, options.seed() ^ now, until));
      }
    }
  }

  private void setAside() {
    long aside = 0;
    for (int t = 0; t < targets.size(); t++) {
      if (findings.of(targets.get(t)).size() >= ENOUGH_FINDINGS) aside |= 1L << t;
    }
    for (var worker : workers) worker.slot.setAside(aside);
  }

  private Watched start(int number, long seed, long until) throws IOException {
    Files.deleteIfExists(options.slot(number));
    var slot = new Slot(options.slot(number));
    var command = new ArrayList<>(Children.command(options, targets));
    command.addAll(List.of("--worker", "" + number, "--seed", "" + seed, "--until", "" + until));
    var process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output(number).toFile())
            .start();
    return new Watched(number, process, slot);
  }

  private Path output(int number) {
    return options.work().resolve("worker-" + number + ".log");
  }

  static List<Path> classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .filter(Files::exists)
        .toList();
  }

  private long executions(int target) {
    return sum(Counter.EXECUTIONS, target);
  }

  private long sum(Counter counter, int target) {
    return earlier[counter.ordinal()][target]
        + workers.stream().mapToLong(worker -> worker.slot.count(counter, target)).sum();
  }

  private void report(long millis) {
    long all = 0;
    int found = 0;
    var line = new StringBuilder();
    for (int t = 0; t < targets.size(); t++) {
      int target = t;
      int mine = findings.of(targets.get(t)).size();
      long inputs =
          workers.stream().mapToLong(w -> w.slot.count(Counter.INPUTS, target)).max().orElse(0);
      all += executions(t);
      found += mine;
      line.append(
          "  %s %,d/%d%s"
              .formatted(
                  targets.get(t).name(), executions(t), inputs, mine > 0 ? " FOUND " + mine : ""));
    }
    out.printf(
        "fuzz: %4d s  %,d executions  %,d/s  %d findings |%s%n",
        millis / 1000, all, all * 1000 / Math.max(1, millis), found, line);
  }

  private boolean summary(long millis) {
    out.printf(
        "%n%-14s %14s %10s %8s %9s%n", "target", "executions", "a second", "refused", "findings");
    boolean isClean = true;
    for (int t = 0; t < targets.size(); t++) {
      var mine = findings.of(targets.get(t));
      isClean &= mine.isEmpty();
      out.printf(
          "%-14s %,14d %,10d %7d%% %9d%n",
          targets.get(t).name(),
          executions(t),
          executions(t) * 1000 / Math.max(1, millis),
          100 * sum(Counter.REFUSED, t) / Math.max(1, executions(t)),
          mine.size());
    }
    for (var target : targets) {
      for (var file : findings.of(target)) {
        out.printf(
            "%n== %s%n%s%n",
            file,
            Findings.story(file).lines().limit(12).toList().stream()
                .reduce("", (a, b) -> a + "  " + b + "\n"));
      }
    }
    return isClean;
  }
}
