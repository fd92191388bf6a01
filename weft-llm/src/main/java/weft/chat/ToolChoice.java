package weft.chat;

import java.util.Objects;
import java.util.Optional;

/**
 * Whether a model calls tools, and which. A value, safe for all threads; what it demands is forced
 * by a mask, so that no model can miss it.
 */
public final class ToolChoice {
  private enum Demand {
    AUTO,
    NONE,
    CALL
  }

  /** The model calls what it likes, or nothing. */
  public static final ToolChoice AUTO = new ToolChoice(Demand.AUTO, Optional.empty(), false);

  /** The model is told of no tools. */
  public static final ToolChoice NONE = new ToolChoice(Demand.NONE, Optional.empty(), false);

  /** The model calls one of the tools at least. */
  public static final ToolChoice REQUIRED = new ToolChoice(Demand.CALL, Optional.empty(), false);

  private final Demand demand;
  private final Optional<String> name;
  private final boolean isSingle;

  private ToolChoice(Demand demand, Optional<String> name, boolean isSingle) {
    this.demand = demand;
    this.name = name;
    this.isSingle = isSingle;
  }

  /** The model calls this tool. */
  public static ToolChoice named(String tool) {
    return new ToolChoice(Demand.CALL, Optional.of(Objects.requireNonNull(tool, "tool")), true);
  }

  /** The same, with one call in an answer at most. */
  public ToolChoice single() {
    return new ToolChoice(demand, name, true);
  }

  /** Whether there are no tools to call. */
  public boolean isNone() {
    return demand == Demand.NONE;
  }

  /** Whether the answer has to be a call. */
  public boolean isDemanded() {
    return demand == Demand.CALL;
  }

  /** Whether one call ends the answer. */
  public boolean isSingle() {
    return isSingle;
  }

  /** The only tool that may be called; empty where any may. */
  public Optional<String> name() {
    return name;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ToolChoice that
        && demand == that.demand
        && name.equals(that.name)
        && isSingle == that.isSingle;
  }

  @Override
  public int hashCode() {
    return Objects.hash(demand, name, isSingle);
  }

  @Override
  public String toString() {
    return name.orElse(demand.name()) + (isSingle ? ", one call" : "");
  }
}
