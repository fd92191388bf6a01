package weft.load;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The prediction heads of a model, each made when it is first asked for. Safe for all threads. */
final class Heads {
  private final Plans plans;
  private final CompiledModel model;
  private final Map<Integer, CompiledModel> made = new ConcurrentHashMap<>();

  Heads(Plans plans, CompiledModel model) {
    this.plans = plans;
    this.model = model;
  }

  /** The head that foretells the first so many tokens, where the checkpoint has one. */
  Optional<CompiledModel> over(int vocabulary) {
    var known = Optional.ofNullable(made.get(vocabulary));
    return known.isPresent()
        ? known
        : plans.head(vocabulary).map(plan -> model.inside(() -> make(vocabulary, plan)));
  }

  /** Behind the model's door, and so once. */
  private CompiledModel make(int vocabulary, Plan plan) {
    if (!made.containsKey(vocabulary)) made.put(vocabulary, model.guest(plan));
    return made.get(vocabulary);
  }
}
