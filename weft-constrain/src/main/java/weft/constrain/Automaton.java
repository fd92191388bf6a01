package weft.constrain;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import weft.constrain.Production.Frame;
import weft.constrain.Stack.Opening;

/**
 * Recognizes the texts of a grammar byte by byte, keeping every way to derive what was read. States
 * are made as texts meet them and remembered, so that most steps are a look into a table. Of one
 * thread at a time.
 */
final class Automaton {
  private final Effort effort;
  private final Room room;
  private final Residuals residuals;
  private final Lowering lowering;
  private final Survival survival;
  private final Stacks stacks;
  private final Map<Production.Lexeme, Residual> lexemes = new IdentityHashMap<>();
  private final Map<State, State> made = new HashMap<>();
  private final State dead;

  Automaton(Effort effort, Room room) {
    this.effort = effort;
    this.room = room;
    this.residuals = new Residuals(effort, room);
    this.lowering = new Lowering(residuals);
    this.survival = new Survival(residuals, effort);
    this.stacks = new Stacks(effort, room);
    this.dead = new State(new Residual[0], new Stack[0], false);
  }

  Residuals residuals() {
    return residuals;
  }

  Survival survival() {
    return survival;
  }

  Lowering lowering() {
    return lowering;
  }

  Stacks stacks() {
    return stacks;
  }

  /** The state that begins behind a lexeme. */
  State opened(Stack stack) {
    var threads = new Threads();
    threads.addAll(opening(stack));
    return state(threads);
  }

  /** The state of a lexeme with nothing behind it. */
  State alone(Residual lexeme) {
    return of(List.of(lexeme), List.of(stacks.end), lexeme.isNullable);
  }

  /** The state of some lexemes of another, or of another automaton's that were made anew. */
  State of(List<Residual> lexemes, List<Stack> behind, boolean isEnd) {
    var threads = new Threads();
    for (int i = 0; i < lexemes.size(); i++) threads.add(lexemes.get(i), behind.get(i));
    threads.isEnd = isEnd;
    return state(threads);
  }

  /** Whether an expression matches any text. */
  boolean isAlive(Regex regex) {
    return survival.isAlive(lowering.lower(regex));
  }

  /** Before the first byte. */
  State start(Production production) {
    var threads = new Threads();
    open(new Item(production, stacks.end), threads);
    return state(threads);
  }

  State dead() {
    return dead;
  }

  /** Behind a byte. */
  State after(State state, int value) {
    if (state.next.length == 0) {
      if (state.isDead()) return dead;
      state.next = new State[256];
      room.take(144);
    }
    var known = state.next[value];
    if (known != null) return known;
    int from = state.borders.floor(value);
    int to = state.borders.above(from);
    var found = find(state, from);
    for (int same = from; same < to; same++) state.next[same] = found;
    return found;
  }

  /** The byte that must come next, or -1 where there are several or none. */
  int onlyByte(State state) {
    int only = -1;
    for (int value = 0; value < 256; value = state.borders.above(value)) {
      if (after(state, value) == dead) continue;
      if (only >= 0 || state.borders.above(value) > value + 1) return -1;
      only = value;
    }
    return only;
  }

  private State find(State state, int value) {
    effort.spend(1 + state.lexemes.length);
    var threads = new Threads();
    for (int i = 0; i < state.lexemes.length; i++) {
      var after = residuals.after(state.lexemes[i], value);
      if (after == residuals.nothing || !survival.isAlive(after)) continue;
      var stack = state.stacks[i];
      if (after != residuals.empty) threads.add(after, stack);
      if (after.isNullable) threads.addAll(opening(stack));
    }
    return state(threads);
  }

  private State state(Threads threads) {
    if (threads.count == 0 && !threads.isEnd) return dead;
    var fresh = threads.state();
    var known = made.putIfAbsent(fresh, fresh);
    if (known != null) return known;
    room.take(24 + 2 * fresh.lexemes.length);
    return fresh;
  }

  /** What may begin behind a lexeme. */
  private Opening opening(Stack stack) {
    if (stack.opening == Opening.UNKNOWN) {
      var threads = new Threads();
      open(new Item(Production.EMPTY, stack), threads);
      stack.opening = threads.opening();
      room.take(8 + 2 * threads.count);
    }
    return stack.opening;
  }

  /** A production that is to come, and what is to come behind it. */
  private record Item(Production production, Stack stack) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Item(var p, var s) && p == production && s == stack;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(production) * 31 + stack.id;
    }
  }

  /** Goes down to the lexemes that a production can begin with; each way is gone once. */
  private void open(Item start, Threads threads) {
    var seen = new HashSet<Object>();
    var open = new ArrayDeque<Item>();
    open.push(start);
    while (!open.isEmpty()) {
      var item = open.pop();
      effort.spend(2);
      var stack = item.stack;
      switch (item.production) {
        case Production.Lexeme lexeme -> {
          var residual = lexemes.computeIfAbsent(lexeme, l -> lowering.lower(l.regex));
          if (residual != residuals.empty && survival.isAlive(residual)) {
            threads.add(residual, stack);
          }
          if (residual.isNullable && seen.add(stack)) pop(stack, threads, seen, open);
        }
        case Production.Sequence sequence ->
            open.push(new Item(sequence.parts[0], stacks.push(sequence.rests[0], stack)));
        case Production.Choice choice -> {
          for (var part : choice.parts) open.push(new Item(part, stack));
        }
        case Production.Repeat repeat ->
            repeat(repeat, repeat.least, repeat.greatest, stack, seen, open);
        case Production.Reference reference -> {
          if (seen.add(item)) open.push(new Item(reference.to(), stack));
        }
      }
    }
  }

  private void pop(Stack stack, Threads threads, HashSet<Object> seen, ArrayDeque<Item> open) {
    if (stack.hasEnd) threads.isEnd = true;
    for (int i = 0; i < stack.tops.length; i++) {
      var top = stack.tops[i];
      var below = stack.below[i];
      switch (top.production()) {
        case Production.Sequence sequence -> {
          int at = top.at();
          boolean isLast = at == sequence.parts.length - 1;
          open.push(
              new Item(
                  sequence.parts[at], isLast ? below : stacks.push(sequence.rests[at], below)));
        }
        case Production.Repeat repeat -> {
          if (!seen.contains(new Item(repeat, stacks.push(top, below)))) {
            repeat(repeat, top.at(), top.greatest(), below, seen, open);
          } else {
            // The part was empty just now, so it may be as often as there are counts left.
            open.push(new Item(Production.EMPTY, below));
          }
        }
        case Production.Lexeme _, Production.Choice _, Production.Reference _ ->
            throw new IllegalStateException("nothing is left of " + top.production());
      }
    }
  }

  private void repeat(
      Production.Repeat repeat,
      int least,
      int greatest,
      Stack stack,
      HashSet<Object> seen,
      ArrayDeque<Item> open) {
    if (least == 0) open.push(new Item(Production.EMPTY, stack));
    if (greatest == 0) return;
    int more = greatest == Regex.UNBOUNDED ? greatest : greatest - 1;
    var rest = new Frame(repeat, Math.max(0, least - 1), more);
    var behind = more == 0 ? stack : stacks.push(rest, stack);
    if (seen.add(new Item(repeat, behind))) open.push(new Item(repeat.part, behind));
  }

  /** Lexemes that are within a text at once; equal ones share what is behind them. */
  private final class Threads {
    private Residual[] lexemes = new Residual[4];
    private Stack[] behind = new Stack[4];
    private int count;
    private boolean isEnd;

    void add(Residual lexeme, Stack stack) {
      int at = count;
      while (at > 0 && lexemes[at - 1].id > lexeme.id) at--;
      if (at > 0 && lexemes[at - 1] == lexeme) {
        behind[at - 1] = stacks.union(behind[at - 1], stack);
        return;
      }
      if (count == lexemes.length) {
        lexemes = Arrays.copyOf(lexemes, 2 * count);
        behind = Arrays.copyOf(behind, 2 * count);
      }
      effort.spend(1 + (count - at) / 8);
      System.arraycopy(lexemes, at, lexemes, at + 1, count - at);
      System.arraycopy(behind, at, behind, at + 1, count - at);
      lexemes[at] = lexeme;
      behind[at] = stack;
      count++;
    }

    void addAll(Opening opening) {
      for (int i = 0; i < opening.lexemes().length; i++) {
        add(opening.lexemes()[i], opening.stacks()[i]);
      }
      isEnd |= opening.isEnd();
    }

    Opening opening() {
      return new Opening(Arrays.copyOf(lexemes, count), Arrays.copyOf(behind, count), isEnd);
    }

    State state() {
      return new State(Arrays.copyOf(lexemes, count), Arrays.copyOf(behind, count), isEnd);
    }
  }
}
