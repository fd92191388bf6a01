package weft.compile;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import weft.lir.Share;

/**
 * How an axis is cut for a mesh: runs behind each other, of each of which every member has a piece.
 * Ops say what they need of it, and all that is needed can be had together.
 */
record Runs(List<Run> runs) {
  /**
   * @param unit what a piece has a multiple of
   * @param sharing how many neighbours have the same piece
   */
  record Run(int size, int unit, int sharing) {}

  Runs {
    runs = List.copyOf(runs);
  }

  /** Of which nothing is needed yet. */
  static Runs of(int size) {
    return of(new Run(size, 1, 1));
  }

  static Runs of(Run only) {
    return new Runs(List.of(only));
  }

  int size() {
    return runs.stream().mapToInt(Run::size).sum();
  }

  boolean isOne() {
    return runs.size() == 1;
  }

  /** Whether several members have the same piece of any. */
  boolean isShared() {
    return runs.stream().anyMatch(r -> r.sharing > 1);
  }

  /** The same in pieces of multiples of a unit. */
  Runs aligned(int unit) {
    return new Runs(runs.stream().map(r -> new Run(r.size, lcm(r.unit, unit), r.sharing)).toList());
  }

  /** What both need. */
  Runs and(Runs other) {
    var both = new ArrayList<Run>();
    var left = new ArrayList<>(runs);
    var right = new ArrayList<>(other.runs);
    while (!left.isEmpty()) {
      var a = left.removeFirst();
      var b = right.removeFirst();
      int size = Math.min(a.size, b.size);
      both.add(new Run(size, lcm(a.unit, b.unit), Math.max(a.sharing, b.sharing)));
      if (a.size > size) left.addFirst(new Run(a.size - size, a.unit, a.sharing));
      if (b.size > size) right.addFirst(new Run(b.size - size, b.unit, b.sharing));
    }
    return new Runs(both);
  }

  /** Of an axis whose elements are so many here. */
  Runs times(int each) {
    return new Runs(
        runs.stream().map(r -> new Run(r.size * each, r.unit * each, r.sharing)).toList());
  }

  /** Of an axis that has one element for so many here; empty where a run ends within one. */
  Optional<Runs> over(int each) {
    if (runs.stream().anyMatch(r -> r.size % each != 0)) return Optional.empty();
    return Optional.of(
        new Runs(
            runs.stream()
                .map(r -> new Run(r.size / each, lcm(r.unit, each) / each, r.sharing))
                .toList()));
  }

  /** Those from one element up to another. */
  Runs part(int from, int to) {
    var part = new ArrayList<Run>();
    int at = 0;
    for (var run : runs) {
      int size = Math.min(to, at + run.size) - Math.max(from, at);
      if (size > 0) part.add(new Run(size, run.unit, run.sharing));
      at += run.size;
    }
    return new Runs(part);
  }

  /** The same where the elements from one on are cut so. */
  Runs with(int from, Runs part) {
    int to = from + part.size();
    var all = new ArrayList<>(part(0, from).runs);
    all.addAll(part(from, to).and(part).runs);
    all.addAll(part(to, size()).runs);
    return new Runs(all);
  }

  /** Why it cannot be cut for so many members; empty where it can. */
  Optional<String> hindrance(int members) {
    for (var run : runs) {
      int pieces = members / run.sharing;
      if (run.size % (pieces * run.unit) != 0) {
        return Optional.of(
            run.unit == 1
                ? "%d elements do not cut in %d pieces".formatted(run.size, pieces)
                : "%d elements do not cut in %d pieces of multiples of %d"
                    .formatted(run.size, pieces, run.unit));
      }
    }
    return Optional.empty();
  }

  /** What a member has of the elements before this one. */
  int length(int before, int members) {
    return part(0, before).pieces(members).stream().mapToInt(Share.Run::length).sum();
  }

  /** What a member has of all elements. */
  int length(int members) {
    return length(size(), members);
  }

  /** The pieces that a member has of a tensor along this axis. */
  List<Share.Run> pieces(int members) {
    var pieces = new ArrayList<Share.Run>();
    int at = 0;
    for (var run : runs) {
      pieces.add(new Share.Run(at, run.size, members / run.sharing));
      at += run.size;
    }
    return pieces;
  }

  private static int lcm(int a, int b) {
    int x = a;
    int y = b;
    while (y != 0) {
      int rest = x % y;
      x = y;
      y = rest;
    }
    return a / x * b;
  }
}
