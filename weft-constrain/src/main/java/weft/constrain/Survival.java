package weft.constrain;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import weft.constrain.Residual.Kind;
import weft.constrain.Residual.Life;

/**
 * Tells whether a residual matches any text at all. Only intersections have to be searched for one;
 * what a search meets on its way is known from then on.
 */
final class Survival {
  private final Residuals residuals;
  private final Effort effort;

  Survival(Residuals residuals, Effort effort) {
    this.residuals = residuals;
    this.effort = effort;
  }

  boolean isAlive(Residual r) {
    if (!r.isDoubtful || r.isNullable) return r != residuals.nothing;
    if (r.life != Life.UNKNOWN) return r.life == Life.ALIVE;
    boolean isAlive =
        switch (r.kind) {
          case NOTHING -> false;
          case EMPTY, BYTES, TEXT -> true;
          case SEQUENCE -> isAlive(r.parts[0]) && isAlive(r.parts[1]);
          case ANY -> {
            boolean any = false;
            for (var part : r.parts) any |= isAlive(part);
            yield any;
          }
          case REPEAT -> r.least == 0 || isAlive(r.parts[0]);
          case ALL, NOT -> search(r);
        };
    r.life = isAlive ? Life.ALIVE : Life.DEAD;
    return isAlive;
  }

  /** Goes on byte by byte until something can end, or everything is seen. */
  private boolean search(Residual start) {
    record Step(Residual at, int before) {}
    var path = new ArrayList<Step>();
    var seen = new HashSet<Residual>();
    var open = new ArrayDeque<Integer>();
    path.add(new Step(start, -1));
    seen.add(start);
    open.push(0);
    while (!open.isEmpty()) {
      int index = open.pop();
      var at = path.get(index).at;
      if (at.isNullable || at.life == Life.ALIVE || (at.kind != Kind.ALL && isAlive(at))) {
        for (int i = index; i >= 0; i = path.get(i).before) path.get(i).at.life = Life.ALIVE;
        return true;
      }
      if (at.kind != Kind.ALL || at.life == Life.DEAD) continue;
      // Ordinary letters are tried first: they are pushed last.
      for (int value : new int[] {128, 0}) {
        for (int end = value + 128; value < end; value = at.borders.above(value)) {
          effort.spend(4);
          var next = residuals.after(at, value);
          if (next != residuals.nothing && seen.add(next)) {
            path.add(new Step(next, index));
            open.push(path.size() - 1);
          }
        }
      }
    }
    for (var dead : seen) dead.life = Life.DEAD;
    return false;
  }
}
