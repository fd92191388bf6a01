package weft.bench.fuzz;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Runs one input by itself and says what happens: with 0 nothing bad, with 1 a finding. */
final class Reproduction {
  /** An input that computes for longer than this is a finding. */
  static final long SLOW_NANOS = 2_000_000_000L;

  /** So is one that does not end, whatever it waits for. */
  private static final long STUCK_NANOS = 20_000_000_000L;

  private static final String SEPARATOR = "\n----\n";

  private Reproduction() {}

  static int run(Target target, Path file) throws IOException, InterruptedException {
    var input = Files.readAllBytes(file);
    var finding = of(target, input);
    System.out.println(
        finding
            .map(f -> f.kind() + SEPARATOR + f.key() + SEPARATOR + f.detail())
            .orElse(target.name() + " does nothing bad with " + file));
    return finding.isPresent() ? 1 : 0;
  }

  /** What {@link #run} printed, read back. */
  static Optional<Finding> parse(String printed) {
    var parts = printed.strip().split(SEPARATOR, 3);
    if (parts.length < 3) return Optional.empty();
    // Warnings of the JVM may come before.
    var kind = parts[0].substring(parts[0].lastIndexOf('\n') + 1);
    return Optional.of(new Finding(Finding.Kind.valueOf(kind), parts[1], parts[2]));
  }

  private static Optional<Finding> of(Target target, byte[] input) throws InterruptedException {
    var result = new AtomicReference<Optional<Finding>>(Optional.empty());
    var thread = new Thread(() -> result.set(Execution.finding(target, input)), "input");
    thread.setDaemon(true);
    thread.start();
    var threads = ManagementFactory.getThreadMXBean();
    long start = System.nanoTime();
    while (!thread.join(Duration.ofMillis(20))) {
      long computed = threads.getThreadCpuTime(thread.threadId());
      if (computed > SLOW_NANOS) {
        return Optional.of(
            Finding.slow(
                "it computed for " + computed / 1_000_000 + " ms", thread.getStackTrace()));
      }
      if (System.nanoTime() - start > STUCK_NANOS) {
        return Optional.of(Finding.slow("it did not end", thread.getStackTrace()));
      }
    }
    return result.get();
  }
}
