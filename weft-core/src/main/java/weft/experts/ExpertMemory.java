package weft.experts;

import java.util.Objects;

/** A budget for experts, and who hears what routers choose. */
public record ExpertMemory(ExpertBudget budget, RoutingListener listener) {
  public ExpertMemory {
    Objects.requireNonNull(budget, "budget");
    Objects.requireNonNull(listener, "listener");
  }

  public static ExpertMemory of(ExpertBudget budget) {
    return new ExpertMemory(budget, RoutingListener.NONE);
  }
}
