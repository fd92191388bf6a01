package weft.serve.web;

import weft.serve.ask.Problem;
import weft.serve.ask.ProblemException;

/** Says of what other servers do that this one does not, and what there is instead. */
public record Missing(String why) implements Route.Handler {
  @Override
  public void handle(Visit visit) {
    throw new ProblemException(new Problem.NotServed(why));
  }
}
