package weft.serve.web;

import java.util.function.Supplier;
import weft.serve.ask.Problem;
import weft.serve.ask.ProblemException;

/** Answers over sockets, each of which is a talk of its own. */
public record Talks(Supplier<Talk> talks) implements Route.Handler {
  /** The header that a request for a socket has. */
  static final String KEY = "Sec-WebSocket-Key";

  @Override
  public void handle(Visit visit) {
    throw new ProblemException(new Problem.NotServed("this is answered over a WebSocket"));
  }
}
