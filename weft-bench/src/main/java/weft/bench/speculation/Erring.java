package weft.bench.speculation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import weft.generate.Drafter;
import weft.generate.Drafting;
import weft.generate.Tokens;

/**
 * Has another drafter do its work, and then proposes what a script has instead, each token of it
 * wrong by chance: a drafter of known luck at the other's price.
 */
final class Erring implements Drafter {
  /** Multiples of it, without their whole part, are spread more evenly than chance is. */
  private static final double GOLDEN = 0.6180339887498949;

  private final Drafter priced;
  private final int[] script;
  private final double luck;
  private double drawn;

  /**
   * @param luck the chance that a token is right where those before it are
   */
  Erring(Drafter priced, int[] script, double luck, double seed) {
    this.priced = priced;
    this.script = script;
    this.luck = luck;
    this.drawn = seed;
  }

  /** The other's work for a turn. */
  private record Work(Drafting priced, Tokens known) implements Drafting {
    @Override
    public int[] propose(int max) {
      throw new IllegalStateException("all turns of a step are asked for at once");
    }

    @Override
    public void learn(Pass pass) {
      priced.learn(pass);
    }

    @Override
    public void close() {
      priced.close();
    }
  }

  @Override
  public Drafting open(Tokens known) {
    return new Work(priced.open(known), known);
  }

  @Override
  public Optional<String> point() {
    return priced.point();
  }

  @Override
  public List<int[]> propose(List<Ask> asks) {
    priced.propose(
        asks.stream().map(ask -> new Ask(((Work) ask.drafting()).priced(), ask.max())).toList());
    var proposals = new ArrayList<int[]>();
    for (Ask ask : asks) proposals.add(script(((Work) ask.drafting()).known().length(), ask.max()));
    return proposals;
  }

  private int[] script(int from, int count) {
    int[] proposal = Arrays.copyOfRange(script, from, Math.min(script.length, from + count));
    // How many are right before the first error: over few drafts already as often as it should be.
    drawn = (drawn + GOLDEN) % 1;
    int right = luck >= 1 ? count : luck <= 0 ? 0 : (int) (Math.log(1 - drawn) / Math.log(luck));
    for (int i = right; i < proposal.length; i++) proposal[i] ^= 1;
    return proposal;
  }
}
