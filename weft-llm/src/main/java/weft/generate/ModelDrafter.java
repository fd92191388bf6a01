package weft.generate;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import weft.generate.Model.Step;

/**
 * Guesses with a model, token after token, in one pass for all turns that go on: a head of the
 * turns' own model, which reads that model's rows, or a smaller model of the same vocabulary. Each
 * turn has a session of its own in it. What goes wrong with a model ends its guesses for those
 * turns and never a reply. Safe for all threads to hand on; it works on the one that runs the
 * turns.
 */
public final class ModelDrafter implements Drafter {
  private final Model model;
  private final Optional<String> point;
  private final DraftOptions options;

  private ModelDrafter(Model model, Optional<String> point, DraftOptions options) {
    this.model = Objects.requireNonNull(model, "model");
    this.point = point;
    this.options = Objects.requireNonNull(options, "options");
  }

  /**
   * Guesses by a head that foretells, from a token and the row that the one before it has at a
   * point of the turns' model, the token behind; the head's own row at the point of that name
   * stands for the model's where a guess follows another.
   */
  public static Drafter ofHead(Model head, String point, DraftOptions options) {
    if (!head.points().contains(point)) {
      throw new GenerateException(
          "a head guesses on from its rows at point " + point + ", but it has " + head.points());
    }
    return new ModelDrafter(head, Optional.of(point), options);
  }

  /** Guesses by a model of its own, whose tokens mean what those of the turns' model do. */
  public static Drafter ofModel(Model model, DraftOptions options) {
    return new ModelDrafter(model, Optional.empty(), options);
  }

  @Override
  public Optional<String> point() {
    return point;
  }

  @Override
  public Drafting open(Tokens known) {
    return new Chain(model, point, options, known);
  }

  @Override
  public List<int[]> propose(List<Ask> asks) {
    var chains = new ArrayList<Chain>();
    for (Ask ask : asks) chains.add(((Chain) ask.drafting()).begin(ask.max()));
    for (var going = going(chains); !going.isEmpty(); going = going(chains)) advance(going);
    return chains.stream().map(Chain::end).toList();
  }

  private static List<Chain> going(List<Chain> chains) {
    return chains.stream().filter(Chain::isGoing).toList();
  }

  /** One more token of each. */
  private void advance(List<Chain> going) {
    var stepping = new ArrayList<Chain>();
    var steps = new ArrayList<Step>();
    for (Chain chain : going) {
      chain
          .next()
          .ifPresent(
              step -> {
                stepping.add(chain);
                steps.add(step);
              });
    }
    if (steps.isEmpty()) return;
    try (var _ = claim()) {
      List<Logits[]> rows = model.forward(steps);
      for (int i = 0; i < steps.size(); i++) stepping.get(i).saw(rows.get(i)[0]);
    } catch (StepRefusedException refusal) {
      // Nothing was fed: those that there is room for try again.
      for (int i = 0; i < steps.size(); i++) {
        boolean isRefused = refusal.refused().isEmpty() || refusal.refused().contains(steps.get(i));
        if (isRefused) stepping.get(i).stop(refusal);
      }
    } catch (RuntimeException failure) {
      stepping.forEach(chain -> chain.stop(failure));
    }
  }

  /** A head is behind the door of the turns' model, whose thread this is. */
  private Model.Claim claim() {
    return point.isPresent() ? Model.Claim.NONE : model.claim();
  }
}
