package weft.ir;

/**
 * How scores choose experts: the scoring function, how many are used, whether their weights are
 * made to sum to one, and a factor on them.
 */
public record Routing(Scoring scoring, int used, Weights weights, float scale) {
  public Routing {
    Rules.positive("experts used", used);
  }

  public enum Scoring {
    SOFTMAX,
    SIGMOID
  }

  /** What happens to the chosen experts' weights. */
  public enum Weights {
    AS_SCORED,
    RENORMALIZED
  }
}
