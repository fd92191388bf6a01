package weft.serve.ask;

/** Ends a request by a problem that its dialect tells the client. */
public final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  public ProblemException(Problem problem) {
    super(problem.sentence());
    this.problem = problem;
  }

  /** {@code cause} is for the server's log alone. */
  public ProblemException(Problem problem, Throwable cause) {
    super(problem.sentence(), cause);
    this.problem = problem;
  }

  public Problem problem() {
    return problem;
  }
}
