package weft.constrain;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;

/** Takes a state over into another automaton of the same grammar. */
final class Migration {
  private final Automaton to;
  private final Map<Residual, Residual> residuals = new IdentityHashMap<>();
  private final Map<Stack, Stack> stacks = new IdentityHashMap<>();

  Migration(Automaton to) {
    this.to = to;
  }

  State state(State state) {
    var lexemes = new ArrayList<Residual>();
    var behind = new ArrayList<Stack>();
    for (int i = 0; i < state.lexemes.length; i++) {
      lexemes.add(residual(state.lexemes[i]));
      behind.add(stack(state.stacks[i]));
    }
    return to.of(lexemes, behind, state.isEnd);
  }

  private Residual residual(Residual old) {
    var known = residuals.get(old);
    if (known != null) return known;
    var in = to.residuals();
    var fresh =
        switch (old.kind) {
          case NOTHING -> in.nothing;
          case EMPTY -> in.empty;
          case BYTES -> in.bytes(old.set);
          case TEXT -> in.text(old.text, old.least);
          case SEQUENCE -> sequence(old);
          case ANY -> in.any(all(old.parts));
          case ALL -> in.all(all(old.parts));
          case NOT -> in.not(residual(old.parts[0]));
          case REPEAT -> in.repeat(residual(old.parts[0]), old.least, old.greatest);
        };
    residuals.put(old, fresh);
    return fresh;
  }

  private Residual[] all(Residual[] parts) {
    return Arrays.stream(parts).map(this::residual).toArray(Residual[]::new);
  }

  /** Sequences lean to the right, as long as they are. */
  private Residual sequence(Residual old) {
    var firsts = new ArrayDeque<Residual>();
    var rest = old;
    for (; rest.kind == Residual.Kind.SEQUENCE; rest = rest.parts[1]) firsts.push(rest.parts[0]);
    var fresh = residual(rest);
    for (var first : firsts) fresh = to.residuals().sequence(residual(first), fresh);
    return fresh;
  }

  /**
   * Stacks are as deep as a text is nested, so what is below is taken over first, without calls.
   */
  private Stack stack(Stack old) {
    var open = new ArrayDeque<Stack>();
    open.push(old);
    while (!open.isEmpty()) {
      var stack = open.peek();
      boolean isReady = true;
      for (var below : stack.below) {
        if (!stacks.containsKey(below)) {
          open.push(below);
          isReady = false;
        }
      }
      if (!isReady) continue;
      open.pop();
      var below = Arrays.stream(stack.below).map(stacks::get).toArray(Stack[]::new);
      stacks.put(stack, to.stacks().make(stack.tops, below, stack.hasEnd));
    }
    return stacks.get(old);
  }
}
