package weft.cuda.interpret;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A warp's part of products that tensor cores make behind its back: they are made when they are
 * waited for and not before, and sums that one of them adds to are nowhere meanwhile.
 */
final class GroupProducts {
  /**
   * One that was begun.
   *
   * @param sums the registers that it adds to
   */
  record Begun(int[] sums, Runnable product) {}

  private final Warp warp;
  private final List<Begun> open = new ArrayList<>();
  private final Deque<List<Begun>> groups = new ArrayDeque<>();
  private final Map<Integer, int[]> away = new HashMap<>();
  private boolean isFenced;

  GroupProducts(Warp warp) {
    this.warp = warp;
  }

  void fence() {
    isFenced = true;
  }

  void begin(Begun begun) {
    if (!isFenced) {
      throw warp.fault(0, "multiplies without a wgmma.fence behind what may have written the sums");
    }
    for (int sum : begun.sums) {
      away.computeIfAbsent(
          sum,
          at -> {
            var held = Arrays.copyOfRange(warp.words, at, at + Slots.LANES);
            Arrays.fill(warp.words, at, at + Slots.LANES, Warp.POISON);
            return held;
          });
    }
    open.add(begun);
  }

  /** What a register that is away holds, lane by lane. */
  int[] held(int sum) {
    return away.get(sum);
  }

  void commit() {
    groups.add(List.copyOf(open));
    open.clear();
  }

  void await(int pending) {
    while (groups.size() > pending) groups.remove().forEach(begun -> begun.product.run());
    var wanted =
        groups.stream()
            .flatMap(List::stream)
            .flatMap(begun -> Arrays.stream(begun.sums).boxed())
            .collect(Collectors.toSet());
    open.forEach(begun -> Arrays.stream(begun.sums).forEach(wanted::add));
    away.entrySet()
        .removeIf(
            entry -> {
              if (wanted.contains(entry.getKey())) return false;
              System.arraycopy(entry.getValue(), 0, warp.words, entry.getKey(), Slots.LANES);
              return true;
            });
    isFenced = false;
  }
}
