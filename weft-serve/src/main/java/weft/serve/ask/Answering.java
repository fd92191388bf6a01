package weft.serve.ask;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import weft.generate.GenerateException;
import weft.generate.Listener;
import weft.generate.Piece;
import weft.generate.Reply;
import weft.generate.Ticket;
import weft.load.LanguageModel;
import weft.serve.metrics.Meters;
import weft.serve.models.ServeException;
import weft.serve.models.Shelf;

/** Answers what is asked with the models there are. Safe for all threads. */
public final class Answering {
  private static final Duration BEAT = Duration.ofSeconds(2);

  private final Shelf shelf;
  private final Meters meters;

  public Answering(Shelf shelf, Meters meters) {
    this.shelf = shelf;
    this.meters = meters;
  }

  /** The models that there are. */
  public Shelf shelf() {
    return shelf;
  }

  /** A model by the name that a client gave; none means the first served. */
  public Shelf.Lease lend(String model) {
    var names = shelf.names();
    var name = model.equals(Ask.FIRST_MODEL) ? names.getFirst() : model;
    if (!names.contains(name)) throw new ProblemException(new Problem.UnknownModel(name, names));
    try {
      return shelf
          .lend(name)
          .orElseThrow(() -> new ProblemException(new Problem.Busy(Duration.ofSeconds(5))));
    } catch (ServeException e) {
      throw new ProblemException(new Problem.Leaving(Duration.ofSeconds(5)), e);
    } catch (ProblemException e) {
      throw e;
    } catch (RuntimeException | Error e) {
      throw new ProblemException(new Problem.UnloadableModel(name), e);
    }
  }

  /**
   * Answers, and tells what happens on the calling thread, which it takes until the end. Where the
   * hearer throws, or the thread is interrupted, the answer ends within a step.
   */
  public void answer(Ask ask, Consumer<Event> hearer) {
    long start = System.nanoTime();
    try (var lease = lend(ask.model())) {
      var loading = since(start);
      var ready = Prepared.of(lease.model(), ask);
      hearer.accept(new Event.Begun(lease.name(), ready.tokens().length));
      new Answers(lease.model(), ask, ready, hearer, start).run(loading);
    } catch (GenerateException e) {
      throw new ProblemException(Prepared.problem(e), e);
    }
  }

  /** How many tokens the prompt of an ask has. */
  public int promptTokens(Ask ask) {
    try (var lease = lend(ask.model())) {
      return Prepared.of(lease.model(), ask).tokens().length;
    }
  }

  private static Duration since(long start) {
    return Duration.ofNanos(System.nanoTime() - start);
  }

  /** What comes from the engine's thread. */
  private sealed interface News {
    record Heard(int answer, Piece piece) implements News {}

    record Done(int answer, Reply reply) implements News {}

    record Failed(Throwable failure) implements News {}
  }

  /** The answers to one request. */
  private final class Answers {
    private final LanguageModel model;
    private final Ask ask;
    private final Prepared ready;
    private final Consumer<Event> hearer;
    private final long start;
    // As long as the replies at the most: the engine waits for nobody, and who reads slowly is
    // ended by the time that its writes take.
    private final BlockingQueue<News> news = new LinkedBlockingQueue<>();
    private final List<Ticket> tickets = new ArrayList<>();
    private final List<Voice> voices = new ArrayList<>();
    private final List<Reply> replies = new ArrayList<>();
    private long lastToken;

    Answers(LanguageModel model, Ask ask, Prepared ready, Consumer<Event> hearer, long start) {
      this.model = model;
      this.ask = ask;
      this.ready = ready;
      this.hearer = hearer;
      this.start = start;
    }

    void run(Duration loading) {
      try {
        for (int i = 0; i < ask.count(); i++) begin(i);
        while (replies.size() < tickets.size()) take();
        hearer.accept(new Event.Spent(cost(loading)));
      } finally {
        tickets.forEach(Ticket::cancel);
      }
    }

    private void begin(int index) {
      voices.add(ready.voice(index, model, hearer));
      var ticket =
          model.submit(
              ready
                  .request(model, ask, index)
                  .withListener(
                      piece -> {
                        news.add(new News.Heard(index, piece));
                        return Listener.Answer.CONTINUE;
                      }));
      tickets.add(ticket);
      var _ = ticket.future().whenComplete((reply, failure) -> done(index, reply, failure));
    }

    private void done(int index, @Nullable Reply reply, @Nullable Throwable failure) {
      if (reply != null) news.add(new News.Done(index, reply));
      if (failure != null) news.add(new News.Failed(failure));
    }

    private void take() {
      switch (next()) {
        case News.Heard(int answer, Piece piece) -> {
          count();
          var voice = voices.get(answer);
          voice.add(piece);
          if (voice.isComplete()) tickets.get(answer).cancel();
        }
        case News.Done(int answer, Reply reply) -> {
          replies.add(reply);
          voices.get(answer).end(reply);
        }
        case News.Failed(Throwable failure) ->
            throw failure instanceof GenerateException ours
                ? ours
                : new GenerateException("the reply failed", failure);
      }
    }

    private News next() {
      try {
        while (true) {
          var next = news.poll(BEAT.toMillis(), TimeUnit.MILLISECONDS);
          if (next != null) return next;
          hearer.accept(new Event.Waiting());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ProblemException(new Problem.TooSlow(), e);
      }
    }

    private void count() {
      long now = System.nanoTime();
      if (lastToken == 0) {
        meters.firstToken(Duration.ofNanos(now - start));
      } else if (ask.count() == 1) {
        meters.gap(Duration.ofNanos(now - lastToken));
      }
      lastToken = now;
    }

    private Cost cost(Duration loading) {
      int prompt = ready.tokens().length;
      int cached = replies.stream().mapToInt(reply -> reply.usage().cachedTokens()).min().orElse(0);
      int made = replies.stream().mapToInt(reply -> reply.usage().generatedTokens()).sum();
      int thoughts = voices.stream().mapToInt(Voice::thoughts).sum();
      meters.tokens(prompt, cached, made);
      var first = replies.getFirst().usage();
      return new Cost(prompt, cached, made, thoughts, loading, first.prefill(), first.decode());
    }
  }
}
