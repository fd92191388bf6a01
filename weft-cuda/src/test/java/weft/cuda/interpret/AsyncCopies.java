package weft.cuda.interpret;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Copies that lanes have begun: they arrive when they are waited for and not before. */
final class AsyncCopies {
  private final List<List<Runnable>> open = new ArrayList<>();
  private final List<Deque<List<Runnable>>> groups = new ArrayList<>();

  /** Most kernels begin none. */
  private void prepare() {
    for (int lane = open.size(); lane < Slots.LANES; lane++) {
      open.add(new ArrayList<>());
      groups.add(new ArrayDeque<>());
    }
  }

  void begin(int lane, Runnable copy) {
    prepare();
    open.get(lane).add(copy);
  }

  void commit(int lane) {
    prepare();
    groups.get(lane).add(List.copyOf(open.get(lane)));
    open.get(lane).clear();
  }

  void await(int lane, int pending) {
    prepare();
    var mine = groups.get(lane);
    while (mine.size() > pending) mine.remove().forEach(Runnable::run);
  }
}
