package weft.text.jinja;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The variables of one block while it runs, on top of those of the blocks around it. */
final class Frame {
  static final int NAMES_A_STEP = 4;

  private final Run run;

  /** From the template itself to this block, which is the last. */
  private final List<Map<String, Value>> levels;

  private Frame(Run run, List<Map<String, Value>> outer) {
    this.run = run;
    this.levels = new ArrayList<>(outer.size() + 1);
    this.levels.addAll(outer);
    this.levels.add(new HashMap<>());
  }

  static Frame root(Run run) {
    return new Frame(run, List.of());
  }

  Frame inner() {
    return new Frame(run, levels);
  }

  /**
   * Pays for all its variables but the template's own, which every frame has, by someone who keeps
   * them when the block is left.
   */
  Frame kept() {
    for (Map<String, Value> level : levels.subList(1, levels.size())) {
      run.budget().items(level.size());
    }
    return this;
  }

  Run run() {
    return run;
  }

  void define(String name, Value value) {
    levels.getLast().put(name, value);
  }

  Value lookup(String name) {
    return find(name, levels.size()).orElseGet(() -> run.variable(name));
  }

  /** The variable of this name in the innermost of the blocks around this one that has it. */
  Optional<Value> outer(String name) {
    return find(name, levels.size() - 1);
  }

  private Optional<Value> find(String name, int depth) {
    for (int i = depth - 1; i >= 0; i--) {
      Value value = levels.get(i).get(name);
      if (value != null) {
        return Optional.of(value);
      }
    }
    return Optional.empty();
  }
}
