package weft.bench.fuzz;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import weft.bench.fuzz.Slot.Counter;

/**
 * Changes inputs and runs them, one after the other, until the time is up: a process of its own.
 */
final class Worker {
  private static final long TURN_NANOS = 100_000_000;
  private static final long EXCHANGE_NANOS = 10_000_000_000L;
  private static final long MINIMIZING_MILLIS = 3_000;

  /** A target with what is known of it. */
  private static final class Work {
    final int number;
    final Target target;
    final Corpus corpus;
    final Coverage.Seen seen = new Coverage.Seen();
    long nanos;
    long nextExchange;

    Work(int number, Target target, Corpus corpus) {
      this.number = number;
      this.target = target;
      this.corpus = corpus;
    }
  }

  private final List<Work> works = new ArrayList<>();
  private final Slot slot;
  private final Findings findings;
  private final Draw draw;
  private final long until;

  /** What the latest execution took, in nanoseconds. */
  private long took;

  private boolean wasRead;

  /** {@code until} is a time of the clock, in milliseconds. */
  Worker(List<Target> targets, Path corpus, Slot slot, Findings findings, long seed, long until) {
    for (var target : targets) {
      works.add(new Work(works.size(), target, new Corpus(corpus.resolve(target.name()))));
    }
    this.slot = slot;
    this.findings = findings;
    this.draw = new Draw(seed);
    this.until = until;
  }

  void run() throws IOException {
    var parent = ProcessHandle.current().parent();
    for (var next = next(); next.isPresent() && !isOver(); next = next()) {
      if (!parent.map(ProcessHandle::isAlive).orElse(false)) return;
      turn(next.get());
    }
    // The seeds are run in any case, however short the time was.
    for (var work : works) prepare(work);
  }

  private boolean isOver() {
    return System.currentTimeMillis() >= until;
  }

  /** The target that had the least time so far. */
  private Optional<Work> next() {
    long aside = slot.setAside();
    return works.stream()
        .filter(work -> (aside >> work.number & 1) == 0)
        .min((a, b) -> Long.compare(a.nanos, b.nanos));
  }

  private void turn(Work work) throws IOException {
    long start = System.nanoTime();
    prepare(work);
    if (start >= work.nextExchange) exchange(work, start);
    do {
      var input = work.target.mutate(work.corpus.pick(draw), work.corpus.pick(draw), draw);
      if (input.length <= Slot.LONGEST_INPUT && run(work, input))
        work.corpus.add(input, took, wasRead);
    } while (System.nanoTime() - start < TURN_NANOS);
    work.nanos += System.nanoTime() - start;
    slot.count(Counter.INPUTS, work.number, work.corpus.size());
    slot.count(Counter.PLACES, work.number, work.seen.places());
  }

  private void prepare(Work work) throws IOException {
    if (work.corpus.size() > 0) return;
    for (var seed : work.target.seeds()) {
      run(work, seed);
      work.corpus.addSeed(seed);
    }
  }

  private void exchange(Work work, long now) throws IOException {
    for (var arrival : work.corpus.arrivals()) {
      if (isOver()) return;
      if (run(work, arrival)) work.corpus.keep(arrival, took, wasRead);
    }
    work.nextExchange = now + EXCHANGE_NANOS;
  }

  /** Whether the input reached something new. */
  private boolean run(Work work, byte[] input) throws IOException {
    slot.begin(work.number, input);
    Coverage.clear();
    long start = System.nanoTime();
    var outcome = Execution.of(work.target, input);
    took = System.nanoTime() - start;
    wasRead = outcome instanceof Execution.Outcome.Read;
    boolean isNew = work.seen.add();
    switch (outcome) {
      case Execution.Outcome.Read _ -> {}
      case Execution.Outcome.Refused _ -> count(Counter.REFUSED, work);
      case Execution.Outcome.Found(var finding) -> found(work, finding, input);
    }
    count(Counter.EXECUTIONS, work);
    slot.end();
    return isNew;
  }

  private void count(Counter counter, Work work) {
    slot.count(counter, work.number, slot.count(counter, work.number) + 1);
  }

  private void found(Work work, Finding finding, byte[] input) throws IOException {
    // Running shows it, not minimizing: the one who watches the clock waits for a single input.
    slot.end();
    if (findings.has(work.target, finding)) return;
    findings.add(
        work.target,
        finding,
        Minimizer.smallest(work.target, finding.key(), input, MINIMIZING_MILLIS));
  }
}
