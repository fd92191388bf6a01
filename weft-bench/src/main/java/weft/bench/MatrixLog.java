package weft.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import weft.bench.matrix.Visit;
import weft.bench.matrix.Visit.Trial;

/**
 * Counts trials and prints what was found. What is being played stands in a file, for a process
 * that dies; one that hangs is ended.
 */
final class MatrixLog implements Visit.Listener {
  /** Trials and findings of a shape. */
  private record Count(int trials, int findings) {
    Count and(int more) {
      return new Count(trials + 1, findings + more);
    }
  }

  private final Path playing;
  private final int hangSeconds;
  private final Map<String, Count> counts = new TreeMap<>();
  private final Map<Integer, Count> teams = new TreeMap<>();
  private int trials;
  private int findings;

  /** Guarded by this. */
  private Optional<Trial> current = Optional.empty();

  private long begun;

  MatrixLog(Path playing, int hangSeconds) {
    this.playing = playing;
    this.hangSeconds = hangSeconds;
    Thread.ofPlatform().daemon().name("matrix-watch").start(this::watch);
  }

  int trials() {
    return trials;
  }

  int findings() {
    return findings;
  }

  @Override
  public void begins(Trial trial) {
    synchronized (this) {
      current = Optional.of(trial);
      begun = System.nanoTime();
    }
    try {
      Files.writeString(playing, trial + "\n" + repeating(trial) + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void ended(Trial trial, Optional<String> wrong) {
    synchronized (this) {
      current = Optional.empty();
    }
    int more = wrong.isPresent() ? 1 : 0;
    trials++;
    findings += more;
    counts.merge(trial.slice().shape().name(), new Count(1, more), (a, _) -> a.and(more));
    teams.merge(trial.team(), new Count(1, more), (a, _) -> a.and(more));
    wrong.ifPresent(text -> System.out.println(trial + ": " + text + "\n  " + repeating(trial)));
  }

  private static String repeating(Trial trial) {
    return "--shapes %s --types %s --threads %d %s"
        .formatted(
            trial.slice().shape().name(),
            trial.slice().mix().name(),
            trial.team(),
            trial.setting());
  }

  private void watch() {
    while (true) {
      try {
        Thread.sleep(1000);
      } catch (InterruptedException e) {
        return;
      }
      Optional<Trial> hanging;
      synchronized (this) {
        boolean isLate = System.nanoTime() - begun > hangSeconds * 1_000_000_000L;
        hanging = current.filter(_ -> isLate);
      }
      if (hanging.isPresent()) {
        System.out.println(
            hanging.get()
                + ": it has not ended after "
                + hangSeconds
                + " s\n  "
                + repeating(hanging.get()));
        System.out.flush();
        // A worker in emitted code hears nothing else.
        Runtime.getRuntime().halt(1);
      }
    }
  }

  void end() {
    try {
      Files.deleteIfExists(playing);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A table of what was played, of how much. */
  String summary(Map<String, Integer> planned) {
    var text =
        new StringBuilder("%n%-24s%10s%10s%10s%n".formatted("shape", "trials", "of", "findings"));
    counts.forEach(
        (shape, count) ->
            text.append(
                "%-24s%10d%10d%10d%n"
                    .formatted(
                        shape, count.trials, planned.getOrDefault(shape, 0), count.findings)));
    text.append("%n%-24s%10s%10s%10s%n".formatted("threads", "trials", "", "findings"));
    teams.forEach(
        (team, count) ->
            text.append("%-24d%10d%10s%10d%n".formatted(team, count.trials, "", count.findings)));
    text.append("%n%d trials, %d findings%n".formatted(trials, findings));
    return text.toString();
  }
}
