package weft.constrain;

import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Tells how far a lexeme goes on with whatever characters of a slice: with any number of them, or
 * with any up to a count and then with none.
 */
final class Freedom {
  static final int ANY_NUMBER = Integer.MAX_VALUE;
  private static final int NONE = 0;

  /** Beyond it, a question is left open, and tokens are looked at one by one. */
  private static final int MOST_PAIRS = 4_000;

  /** Tokens of more characters are looked at one by one anyway. */
  private static final int LONGEST_TOKEN = 40;

  private record Pair(Residual lexeme, Residual slice) {}

  private final Automaton automaton;
  private final Residuals residuals;
  private final Room room;
  private final Map<Slice, Set<Residual>> closed = new EnumMap<>(Slice.class);
  private final Map<Pair, Residual> uniform = new HashMap<>();

  Freedom(Automaton automaton, Room room) {
    this.room = room;
    this.automaton = automaton;
    this.residuals = automaton.residuals();
  }

  /** Of how many of a slice's characters any text may follow. */
  int of(Residual lexeme, Slice slice) {
    var texts = automaton.lowering().lower(slice.texts);
    if (closed.getOrDefault(slice, Set.of()).contains(lexeme)) return ANY_NUMBER;
    // A first character that cannot come settles most questions.
    if (!takesFirst(lexeme, texts)) return NONE;
    int count = count(lexeme, slice);
    if (count != NONE) return count;
    return isClosed(lexeme, slice, texts) ? ANY_NUMBER : NONE;
  }

  private boolean takesFirst(Residual lexeme, Residual texts) {
    var borders = lexeme.borders.or(texts.borders);
    for (int value = 0; value < 256; value = borders.above(value)) {
      if (residuals.after(texts, value) != residuals.nothing
          && residuals.after(lexeme, value) == residuals.nothing) {
        return false;
      }
    }
    return true;
  }

  /** All that the slice's texts lead to can be completed. */
  private boolean isClosed(Residual lexeme, Slice slice, Residual texts) {
    var seen = new HashSet<Pair>();
    var open = new ArrayDeque<Pair>();
    var start = new Pair(lexeme, texts);
    seen.add(start);
    open.add(start);
    while (!open.isEmpty()) {
      var pair = open.poll();
      var borders = pair.lexeme.borders.or(pair.slice.borders);
      for (int value = 0; value < 256; value = borders.above(value)) {
        var within = residuals.after(pair.slice, value);
        if (within == residuals.nothing) continue;
        var after = residuals.after(pair.lexeme, value);
        if (after == residuals.nothing || !automaton.survival().isAlive(after)) return false;
        var next = new Pair(after, within);
        if (seen.add(next)) open.add(next);
        if (seen.size() > MOST_PAIRS) return false;
      }
    }
    var known = closed.computeIfAbsent(slice, _ -> new HashSet<>());
    for (var pair : seen) if (pair.slice == texts) known.add(pair.lexeme);
    room.take(8 * seen.size());
    return true;
  }

  /** Every character leads to the same, up to where none can come. */
  private int count(Residual lexeme, Slice slice) {
    var one = automaton.lowering().lower(slice.one);
    var at = lexeme;
    for (int count = 0; count < LONGEST_TOKEN; count++) {
      var next = uniform.computeIfAbsent(new Pair(at, one), this::uniform);
      if (next == at) return ANY_NUMBER;
      if (next == residuals.nothing) return count;
      // A text that may end among them can go on with another lexeme.
      if (next == residuals.empty || next.isNullable || at.isNullable) return NONE;
      at = next;
    }
    return ANY_NUMBER;
  }

  /** What any one character leads to, or the empty text where that differs. */
  private Residual uniform(Pair start) {
    var seen = new HashSet<Pair>();
    var open = new ArrayDeque<Pair>();
    open.add(start);
    var found = residuals.empty;
    boolean isFirst = true;
    while (!open.isEmpty()) {
      var pair = open.poll();
      var borders = pair.lexeme.borders.or(pair.slice.borders);
      for (int value = 0; value < 256; value = borders.above(value)) {
        var within = residuals.after(pair.slice, value);
        if (within == residuals.nothing) continue;
        var after = residuals.after(pair.lexeme, value);
        if (!automaton.survival().isAlive(after)) after = residuals.nothing;
        if (within == residuals.empty) {
          if (!isFirst && found != after) return residuals.empty;
          found = after;
          isFirst = false;
        } else if (seen.add(new Pair(after, within))) {
          open.add(new Pair(after, within));
        }
      }
    }
    return found;
  }
}
