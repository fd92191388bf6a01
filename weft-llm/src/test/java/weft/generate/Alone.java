package weft.generate;

/** A reply by an engine that makes no other. */
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
}
