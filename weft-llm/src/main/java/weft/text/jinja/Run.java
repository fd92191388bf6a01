package weft.text.jinja;

import java.time.Clock;
import java.time.LocalDateTime;
import java.util.Map;

/** One rendering: its variables, its budget, its clock, what it has written and where it is. */
final class Run {
  private final Map<String, Value> variables;
  private final Budget budget;
  private final Clock clock;
  private StringBuilder out = new StringBuilder();
  private int position;

  Run(Map<String, Value> variables, Limits limits, Clock clock) {
    this.variables = variables;
    this.budget = new Budget(limits);
    this.clock = clock;
  }

  Budget budget() {
    return budget;
  }

  LocalDateTime now() {
    return LocalDateTime.now(clock);
  }

  /** A variable that the caller gave, else a global function, else undefined. */
  Value variable(String name) {
    Value value = variables.get(name);
    return value != null ? value : Globals.find(name).orElseGet(() -> Undefined.named(name));
  }

  /** Notes the place of what is done next, for the message should it fail. */
  void at(int sourcePosition) {
    position = sourcePosition;
  }

  int position() {
    return position;
  }

  void write(String text) {
    budget.text(text.length());
    budget.length((long) out.length() + text.length());
    out.append(text);
  }

  /** Starts to collect output apart and gives what was collected so far, for {@link #release}. */
  StringBuilder capture() {
    StringBuilder outer = out;
    out = new StringBuilder();
    return outer;
  }

  /** Ends the innermost {@link #capture} and gives what it collected. */
  String release(StringBuilder outer) {
    budget.text(out.length());
    String captured = out.toString();
    out = outer;
    return captured;
  }

  String output() {
    return out.toString();
  }
}
