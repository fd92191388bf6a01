package weft.generate;

/**
 * Chooses the tokens of one text, one after the other, as its {@link Sampling} says. Belongs to one
 * thread.
 */
public final class Sampler {
  /** A device is asked for one in so many tokens at most; more are quicker found in a copy. */
  private static final int FEW = 64;

  private final Sampling sampling;
  private final Mask mask;
  private final Workspace workspace;
  private final Dice dice;
  private long draws;

  public Sampler(Sampling sampling, int vocabularySize) {
    this(sampling, Mask.NONE, new Workspace(vocabularySize));
  }

  Sampler(Sampling sampling, Mask mask, Workspace workspace) {
    this.sampling = sampling;
    this.mask = mask;
    this.workspace = workspace;
    this.dice = new Dice(sampling.seed());
  }

  /** The token to follow the known text, given the logits after it, which stay as they are. */
  public int next(Logits logits, Tokens known) {
    Logits row = prepare(logits, known);
    return sampling.isGreedy() ? likeliest(row) : draw(row);
  }

  /** Whether the greatest of the logits as they are is always the next token. */
  boolean takesGreatest() {
    return sampling.isGreedy() && sampling.penalties().isNone() && mask == Mask.NONE;
  }

  /** What must come next, whatever the logits say. */
  int[] forced() {
    return mask.forced();
  }

  /** A token is part of the text, sampled or forced. */
  void chosen(int token) {
    mask.chosen(token);
  }

  private Logits prepare(Logits logits, Tokens known) {
    Penalties penalties = sampling.penalties();
    if (penalties.isNone() && mask == Mask.NONE) {
      return logits;
    }
    float[] row = workspace.logits();
    logits.copyTo(row);
    penalties.apply(row, known, workspace.counts());
    mask.apply(row);
    return Logits.of(row);
  }

  private int likeliest(Logits row) {
    Candidates candidates = workspace.candidates();
    candidates.best(row, 1, 1);
    if (candidates.isEmpty()) {
      throw nothingAllowed();
    }
    return candidates.likeliest();
  }

  private int draw(Logits row) {
    Candidates candidates = workspace.candidates();
    int k = sampling.topK();
    if (k > 0 && k < row.size()) {
      candidates.best(k > row.size() / FEW ? copy(row) : row, sampling.temperature(), k);
    } else {
      candidates.all(row, sampling.temperature());
    }
    if (candidates.isEmpty()) {
      throw nothingAllowed();
    }
    if (!candidates.areWeighed()) {
      throw new GenerateException(
          "the greatest logit is infinite, so no token can be drawn by chance: the weights are"
              + " damaged, or a penalty or a logit bias is too large.");
    }
    if (sampling.topP() < 1) {
      candidates.topP(sampling.topP());
    }
    if (sampling.minP() > 0) {
      candidates.minP(sampling.minP());
    }
    if (sampling.typical() < 1) {
      candidates.typical(sampling.typical());
    }
    return candidates.draw(dice, draws++);
  }

  private Logits copy(Logits row) {
    row.copyTo(workspace.logits());
    return Logits.of(workspace.logits());
  }

  private static GenerateException nothingAllowed() {
    return new GenerateException(
        "no token may come next: the mask and the logit bias together forbid the whole vocabulary;"
            + " allow at least an end-of-text token.");
  }
}
