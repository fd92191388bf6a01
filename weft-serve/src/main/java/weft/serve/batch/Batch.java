package weft.serve.batch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;
import weft.input.LineFile;
import weft.serve.ask.Answering;
import weft.serve.ask.Client;
import weft.serve.ask.Problem;
import weft.serve.ask.ProblemException;
import weft.serve.metrics.Meters;
import weft.serve.models.ServeException;
import weft.serve.models.Shelf;
import weft.serve.openai.OpenAi;
import weft.serve.web.Fields;
import weft.serve.web.Json;

/**
 * Answers the requests of a file, in the form of OpenAI's batches, with the first model of a shelf,
 * whatever model a line names. Answers go to another file as they come; what that holds already is
 * not asked again, so that the same call goes on where one was stopped. It runs once; safe for all
 * threads.
 */
public final class Batch {
  private final Shelf shelf;
  private final int parallel;
  private final Consumer<BatchEvent> listener;
  private final Tally tally = new Tally();
  private volatile boolean isStopped;

  /** What has come of it; guarded by itself, as is who hears of it. */
  private static final class Tally {
    private int skipped;
    private int answered;
    private int failed;
    private long tokens;
    private Optional<IOException> loss = Optional.empty();
  }

  /**
   * @param shelf stays its owner's
   * @param parallel lines that are answered at once
   * @param listener hears what happens, one event at a time, from the threads that answer
   */
  public Batch(Shelf shelf, int parallel, Consumer<BatchEvent> listener) {
    if (parallel < 1) {
      throw new ServeException("a batch has at least 1 line at once, got " + parallel);
    }
    this.shelf = Objects.requireNonNull(shelf, "shelf");
    this.parallel = parallel;
    this.listener = Objects.requireNonNull(listener, "listener");
  }

  /** Whose request a line is: nobody's who could be told from others, and there until the end. */
  private final class Author implements Client {
    @Override
    public String isolation() {
      return "";
    }

    @Override
    public void requireThere() {
      if (isStopped) throw new ProblemException(new Problem.Leaving(Duration.ZERO));
    }
  }

  /**
   * Answers all lines of {@code in} that {@code out} has no answer to. It ends early where {@link
   * #stop} says so, or the thread is interrupted.
   *
   * @throws ServeException where a file is not what it must be
   */
  public BatchReport run(Path in, Path out) throws IOException {
    if (BatchOutput.isSame(in, out)) {
      throw new ServeException(in + " and " + out + " are one file; answers need another");
    }
    int lines = count(in);
    try (var output = BatchOutput.open(out);
        var _ = lent();
        var meters = new Meters()) {
      tell(new BatchEvent.Begun(lines, output.known()));
      answer(in, output, new OpenAi(new Answering(shelf, meters)));
    }
    synchronized (tally) {
      if (tally.loss.isPresent()) throw tally.loss.get();
      boolean isLeft = tally.answered + tally.failed + tally.skipped < lines;
      return new BatchReport(
          lines, tally.skipped, tally.answered, tally.failed, tally.tokens, isLeft);
    }
  }

  /** The model, for as long as this runs: what is wrong with it is no fault of a line. */
  private Shelf.Lease lent() {
    var name = shelf.names().getFirst();
    return shelf
        .lend(name)
        .orElseThrow(
            () -> new ServeException("there is no room for " + name + ": others are busy"));
  }

  /** Ends the run within a step: what was not answered yet is left for another. */
  public void stop() {
    isStopped = true;
  }

  private static int count(Path in) throws IOException {
    int lines = 0;
    try (var file = LineFile.open(in, BatchLine.LONGEST_LINE)) {
      for (var line = file.next(); line.isPresent(); line = file.next()) {
        if (!line.get().isBlank()) lines++;
      }
    }
    return lines;
  }

  private void answer(Path in, BatchOutput output, OpenAi dialect) throws IOException {
    var seats = new Semaphore(parallel);
    var seen = new HashSet<String>();
    try (var file = LineFile.open(in, BatchLine.LONGEST_LINE);
        var workers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var next = file.next(); next.isPresent() && !isStopped; next = file.next()) {
        if (next.get().isBlank()) continue;
        var line = unique(BatchLine.of(next.get(), dialect.pathsInWhole()), seen);
        if (output.has(line)) skip();
        else if (sit(seats)) begin(workers, seats, () -> answer(line, output, dialect));
      }
    }
  }

  private static BatchLine unique(BatchLine line, Set<String> seen) {
    return line instanceof BatchLine.Asked asked && !seen.add(asked.id())
        ? new BatchLine.Wrong(
            asked.number(),
            Optional.of(asked.id()),
            "duplicate_custom_id",
            "'custom_id' must be a line's own, and %s is an earlier one's"
                .formatted(Fields.quoted(asked.id())))
        : line;
  }

  private void skip() {
    synchronized (tally) {
      tally.skipped++;
    }
  }

  /** Waits until another line may begin; false where none may any more. */
  private boolean sit(Semaphore seats) {
    try {
      seats.acquire();
    } catch (InterruptedException e) {
      stop();
      Thread.currentThread().interrupt();
    }
    return !isStopped;
  }

  private static void begin(ExecutorService workers, Semaphore seats, Runnable work) {
    workers.execute(
        () -> {
          try {
            work.run();
          } finally {
            seats.release();
          }
        });
  }

  private void answer(BatchLine line, BatchOutput output, OpenAi dialect) {
    try {
      switch (line) {
        case BatchLine.Wrong wrong -> write(output, line, BatchAnswer.of(wrong), false);
        case BatchLine.Asked asked -> {
          var body = ((ObjectNode) asked.body()).deepCopy();
          body.remove("model");
          var made = dialect.answer(asked.path(), Fields.of(body), new Author());
          write(output, line, BatchAnswer.of(asked, 200, made), true);
        }
      }
    } catch (ProblemException e) {
      // Who is stopped in the middle has done nothing wrong: it is asked again next time.
      if (!isStopped) refuse(output, line, e.problem(), e);
    } catch (RuntimeException | Error e) {
      if (!isStopped) refuse(output, line, new Problem.Internal(), e);
    }
  }

  private void refuse(BatchOutput output, BatchLine line, Problem problem, Throwable cause) {
    if (problem instanceof Problem.Internal || problem instanceof Problem.UnloadableModel) {
      tell(new BatchEvent.Failed(line.number(), cause));
    }
    if (line instanceof BatchLine.Asked asked) {
      var refusal = OpenAi.error(problem);
      write(output, line, BatchAnswer.of(asked, refusal.status(), refusal.body()), false);
    }
  }

  private void write(BatchOutput output, BatchLine line, ObjectNode answer, boolean isGood) {
    var text = Json.text(answer);
    try {
      if (!output.write(text)) return;
    } catch (UncheckedIOException e) {
      // What cannot be written now is not written later: a full disk is no fault of a line.
      stop();
      synchronized (tally) {
        tally.loss = Optional.of(e.getCause());
      }
      return;
    }
    int made = BatchAnswer.tokens(answer);
    synchronized (tally) {
      if (isGood) tally.answered++;
      else tally.failed++;
      tally.tokens += made;
      listener.accept(new BatchEvent.Answered(line.number(), isGood, made, text));
    }
  }

  private void tell(BatchEvent event) {
    synchronized (tally) {
      listener.accept(event);
    }
  }
}
