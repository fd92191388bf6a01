package weft.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import weft.backend.Executable;
import weft.backend.State;
import weft.lir.Launch;

/**
 * Where the time of a model's steps goes, launch by launch, prefill and decode apart. Written by
 * the thread that runs the model: read it when no reply is being made.
 */
public final class Trace {
  /** All launches of one kind of a phase. */
  public record Row(String operation, String kernel, int count, Duration time, Work work) {}

  /** A phase's steps: tokens fed and the time they took, launches and what is around them. */
  public record Summary(int steps, int tokens, Duration time, List<Row> rows) {
    public Summary {
      rows = List.copyOf(rows);
    }
  }

  private record Key(String operation, String kernel) {}

  private static final class Sum {
    private int count;
    private long nanos;
    private Work work = Work.NONE;
  }

  private static final class Steps {
    /** A program's launches are the same objects in every step, and large to compare. */
    private final Map<Launch, Key> keys = new IdentityHashMap<>();

    private final Map<Key, Sum> launches = new LinkedHashMap<>();
    private int steps;
    private int tokens;
    private long nanos;
  }

  private final Map<Phase, Steps> phases = new EnumMap<>(Phase.class);
  private Optional<Trace> guesses = Optional.empty();
  private Optional<Trace> looks = Optional.empty();

  Trace() {
    for (var phase : Phase.values()) phases.put(phase, new Steps());
  }

  /** Where the time of the model's prediction heads goes, which guess between its steps. */
  public synchronized Trace guesses() {
    if (guesses.isEmpty()) guesses = Optional.of(new Trace());
    return guesses.get();
  }

  /** Where the time of looking at pictures goes; a patch, or a square of them, is a token. */
  public synchronized Trace looks() {
    if (looks.isEmpty()) looks = Optional.of(new Trace());
    return looks.get();
  }

  /** Measures one step that {@code run} runs; {@code work} tells what its launches have to do. */
  void step(
      Phase phase, int tokens, Function<Launch, Work> work, Consumer<Executable.Observer> run) {
    var sums = phases.get(phase);
    long start = System.nanoTime();
    run.accept(
        (launch, service, nanos) -> {
          var key =
              sums.keys.computeIfAbsent(
                  launch, l -> new Key(LaunchText.label(l), LaunchText.kernel(service)));
          var sum = sums.launches.computeIfAbsent(key, k -> new Sum());
          sum.count++;
          sum.nanos += nanos;
          sum.work = sum.work.and(work.apply(launch));
        });
    sums.nanos += System.nanoTime() - start;
    sums.steps++;
    sums.tokens += tokens;
  }

  /** Notes what keeping places to rewind to cost in a step. */
  void snapshots(Phase phase, State.Snapshots taken) {
    if (taken.count() == 0) return;
    var key = new Key("snapshot", "copy of recurrent state");
    var sum = phases.get(phase).launches.computeIfAbsent(key, k -> new Sum());
    sum.count += taken.count();
    sum.nanos += taken.nanos();
  }

  /** What was measured so far, the longest first. */
  public Summary summary(Phase phase) {
    var sums = phases.get(phase);
    var rows = new ArrayList<Row>();
    sums.launches.forEach(
        (key, sum) ->
            rows.add(
                new Row(
                    key.operation, key.kernel, sum.count, Duration.ofNanos(sum.nanos), sum.work)));
    rows.sort(Comparator.comparing(Row::time).reversed());
    return new Summary(sums.steps, sums.tokens, Duration.ofNanos(sums.nanos), rows);
  }
}
