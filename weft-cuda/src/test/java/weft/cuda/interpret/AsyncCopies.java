package weft.cuda.interpret;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Copies that lanes have begun: they arrive when they are waited for and not before. */
final class AsyncCopies {
  private final List<List<Runnable>> open = new ArrayList<>();
  private final List<Deque<List<Runnable>>> groups = new ArrayList<>();

  AsyncCopies() {
    for (int lane = 0; lane < Slots.LANES; lane++) {
      open.add(new ArrayList<>());
      groups.add(new ArrayDeque<>());
    }
  }

  void begin(int lane, Runnable copy) {
    open.get(lane).add(copy);
  }

  void commit(int lane) {
    groups.get(lane).add(List.copyOf(open.get(lane)));
    open.get(lane).clear();
  }

  void await(int lane, int pending) {
    var mine = groups.get(lane);
    while (mine.size() > pending) mine.remove().forEach(Runnable::run);
  }
}
