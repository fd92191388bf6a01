package weft.generate;

import java.util.function.BooleanSupplier;

/** Replies by an engine that makes no other, and the parts of one by themselves. */
final class Alone {
  private Alone() {}

  static Reply reply(Model model, Request request) {
    return reply(model, request, Capacity.standard().budget());
  }

  /** {@code budget} tokens in a forward pass at most. */
  static Reply reply(Model model, Request request, int budget) {
    try (var engine = Engine.start(model, Capacity.standard().withParallel(1).withBudget(budget))) {
      return engine.generate(request);
    }
  }

  /** A turn on a sequence of its own. */
  static Turn turn(Model model, Request request, Workspace workspace, BooleanSupplier cancelled) {
    var turn = new Turn(model, model.contextLength(), request, workspace, cancelled);
    turn.begin(Sequence.open(model));
    return turn;
  }

  /** Steps that take no time, and have all the memory they need. */
  static Batch batch(Model model, int budget) {
    return new Batch(model, budget, () -> false, () -> 0);
  }
}
