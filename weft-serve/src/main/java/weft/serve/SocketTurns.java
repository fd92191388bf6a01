package weft.serve;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.function.Consumer;
import weft.serve.ask.Problem;
import weft.serve.ask.ProblemException;
import weft.serve.metrics.Meters;
import weft.serve.web.Fields;
import weft.serve.web.Json;
import weft.serve.web.Socket;
import weft.serve.web.Talk;
import weft.serve.web.Visit;

/**
 * What is asked over a socket: each message is a request, let in, counted and refused as one. For
 * one thread.
 */
final class SocketTurns {
  /** What a message's answer is counted as; the socket has no other number for it. */
  private static final int GOOD = 200;

  private final String name;
  private final Talk talk;
  private final Meters meters;
  private final Consumer<Happening> log;

  SocketTurns(String name, Talk talk, Meters meters, Consumer<Happening> log) {
    this.name = name;
    this.talk = talk;
    this.meters = meters;
    this.log = log;
  }

  /** Lets a message in, as long as it is answered, or says that it may not come. */
  interface Door {
    void within(Runnable turn);
  }

  /** Answers until the client leaves. */
  void answer(Visit visit, Door door) {
    try (var socket = visit.socket()) {
      for (var message = socket.next(); message.isPresent(); message = socket.next()) {
        var text = message.get();
        long start = System.nanoTime();
        int status = turn(() -> door.within(() -> hear(text, visit, socket)), socket);
        var taken = Duration.ofNanos(System.nanoTime() - start);
        meters.request(name, status, taken);
        log.accept(new Happening.Answered(name, "GET", status, taken));
      }
    }
  }

  private void hear(byte[] message, Visit visit, Socket socket) {
    var failure =
        talk.hear(
            Fields.of(Json.read(message)),
            visit,
            event -> {
              visit.requireThere();
              socket.send(event);
            });
    failure.ifPresent(e -> log.accept(new Happening.Failed(name, e)));
  }

  /** The status that the answer would have as one of its own. */
  private int turn(Runnable turn, Socket socket) {
    try {
      turn.run();
      return GOOD;
    } catch (ProblemException e) {
      if (Reception.isOurs(e.problem())) log.accept(new Happening.Failed(name, e));
      return refuse(e.problem(), socket);
    } catch (UncheckedIOException e) {
      throw e;
    } catch (RuntimeException e) {
      log.accept(new Happening.Failed(name, e));
      return refuse(new Problem.Internal(), socket);
    }
  }

  private int refuse(Problem problem, Socket socket) {
    var refusal = talk.refusal(problem);
    socket.send(refusal);
    return refusal.path("status").asInt(GOOD);
  }
}
