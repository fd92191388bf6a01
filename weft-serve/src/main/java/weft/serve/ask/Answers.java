package weft.serve.ask;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import weft.generate.GenerateException;
import weft.generate.Guesses;
import weft.generate.Listener;
import weft.generate.Piece;
import weft.generate.Reply;
import weft.generate.Request;
import weft.generate.StepRefusedException;
import weft.generate.Ticket;
import weft.load.LanguageModel;
import weft.serve.metrics.Meters;

/** The answers to one request in the making. For one thread. */
final class Answers {
  /** What comes from the engine's thread, and from the clock. */
  private sealed interface News {
    record Heard(int answer, Piece piece) implements News {}

    record Done(int answer, Reply reply) implements News {}

    record Failed(Throwable failure) implements News {}

    record Nothing() implements News {}
  }

  private final LanguageModel model;
  private final Consumer<Event> hearer;
  private final Meters meters;
  private final long start;
  // As long as the replies at the most: the engine waits for nobody, and who reads slowly is
  // ended by the time that its writes take.
  private final BlockingQueue<News> news = new LinkedBlockingQueue<>();
  private final List<Ticket> tickets = new ArrayList<>();
  private final List<Voice> voices = new ArrayList<>();
  private final List<Reply> replies = new ArrayList<>();
  private long lastToken;
  private volatile boolean isQuiet = true;

  Answers(LanguageModel model, Consumer<Event> hearer, Meters meters, long start) {
    this.model = model;
    this.hearer = hearer;
    this.meters = meters;
    this.start = start;
  }

  void run(List<Ask> asks, List<Prepared> prompts, Event.Begun begun, Duration loading) {
    try {
      for (int prompt = 0; prompt < asks.size(); prompt++) {
        begin(asks.get(prompt), prompts.get(prompt));
      }
      // Not before all are taken: a stream that has begun cannot be refused as others are.
      hearer.accept(begun);
      while (replies.size() < tickets.size()) take();
      hearer.accept(new Event.Spent(cost(prompts, loading)));
    } finally {
      tickets.forEach(Ticket::cancel);
    }
  }

  /** All answers to a prompt at once: it is read once for all of them. */
  private void begin(Ask ask, Prepared prompt) {
    int first = tickets.size();
    var requests = new ArrayList<Request>();
    for (int draw = 0; draw < ask.count(); draw++) {
      int index = first + draw;
      voices.add(prompt.voice(index, model, hearer));
      requests.add(
          prompt
              .request(model, ask, draw)
              .withListener(
                  piece -> {
                    news.add(new News.Heard(index, piece));
                    return Listener.Answer.CONTINUE;
                  }));
    }
    tickets.addAll(submit(requests, prompt));
    for (int index = first; index < tickets.size(); index++) {
      int answer = index;
      var _ =
          tickets
              .get(answer)
              .future()
              .whenComplete((reply, failure) -> done(answer, reply, failure));
    }
  }

  private List<Ticket> submit(List<Request> requests, Prepared prompt) {
    try {
      return model.submit(requests);
    } catch (StepRefusedException e) {
      throw prompt.tooLarge(model, e);
    }
  }

  private void done(int index, @Nullable Reply reply, @Nullable Throwable failure) {
    if (reply != null) news.add(new News.Done(index, reply));
    if (failure != null) news.add(new News.Failed(failure));
  }

  /** Called by a clock: where nothing has happened since the last time, that is news, too. */
  void beat() {
    if (isQuiet) news.add(new News.Nothing());
    isQuiet = true;
  }

  private void take() {
    switch (next()) {
      case News.Nothing() -> hearer.accept(new Event.Waiting());
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

  /** Without a time of its own: a virtual thread that waits with one wakes another thread twice. */
  private News next() {
    try {
      var next = news.take();
      isQuiet = false;
      return next;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ProblemException(new Problem.Internal(), e);
    }
  }

  private void count() {
    long now = System.nanoTime();
    if (lastToken == 0) {
      meters.firstToken(Duration.ofNanos(now - start));
    } else if (tickets.size() == 1) {
      meters.gap(Duration.ofNanos(now - lastToken));
    }
    lastToken = now;
  }

  private Cost cost(List<Prepared> prompts, Duration loading) {
    int prompt = prompts.stream().mapToInt(each -> each.tokens().length).sum();
    int cached = replies.stream().mapToInt(reply -> reply.usage().cachedTokens()).min().orElse(0);
    int made = replies.stream().mapToInt(reply -> reply.usage().generatedTokens()).sum();
    int thoughts = voices.stream().mapToInt(Voice::thoughts).sum();
    meters.tokens(prompt, cached, made);
    var guesses =
        replies.stream().map(reply -> reply.usage().guesses()).reduce(Guesses.NONE, Guesses::plus);
    int passes = replies.stream().mapToInt(reply -> reply.usage().passes()).sum();
    var first = replies.getFirst().usage();
    return new Cost(
        prompt, cached, made, thoughts, guesses, passes, loading, first.prefill(), first.decode());
  }
}
