package weft.constrain;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import weft.constrain.Production.Frame;

/** Makes stacks, each once. Of one thread at a time. */
final class Stacks {
  /** Of stacks that are joined, from the top to where they are the same. */
  private static final int DEEPEST_UNION = 1_000;

  private static final Frame[] NO_FRAMES = {};
  private static final Stack[] NO_STACKS = {};

  private record Pair(Stack first, Stack second) {}

  private final Effort effort;
  private final Room room;
  private final Map<Stack, Stack> made = new HashMap<>();
  private final Map<Pair, Stack> unions = new HashMap<>();
  private final Map<Frame, Integer> numbers = new HashMap<>();

  /** Nothing is to come. */
  final Stack end;

  Stacks(Effort effort, Room room) {
    this.effort = effort;
    this.room = room;
    this.end = make(NO_FRAMES, NO_STACKS, true);
  }

  Stack make(Frame[] tops, Stack[] below, boolean hasEnd) {
    effort.spend(2 + tops.length);
    var fresh = new Stack(tops, below, hasEnd, made.size());
    var known = made.putIfAbsent(fresh, fresh);
    if (known != null) return known;
    room.take(16 + 2 * tops.length);
    return fresh;
  }

  Stack push(Frame frame, Stack below) {
    return make(new Frame[] {frame}, new Stack[] {below}, false);
  }

  Stack union(Stack first, Stack second) {
    return union(first, second, 0);
  }

  private Stack union(Stack first, Stack second, int depth) {
    if (first == second) return first;
    if (depth > DEEPEST_UNION) {
      throw new ConstrainException(
          "a grammar that can be understood in several ways, more than "
              + DEEPEST_UNION
              + " rules deep; make it unambiguous");
    }
    var pair = first.id < second.id ? new Pair(first, second) : new Pair(second, first);
    var known = unions.get(pair);
    if (known != null) return known;
    var tops = new Frame[first.tops.length + second.tops.length];
    var below = new Stack[tops.length];
    int count = first.tops.length;
    System.arraycopy(first.tops, 0, tops, 0, count);
    System.arraycopy(first.below, 0, below, 0, count);
    effort.spend(tops.length);
    var index = new HashMap<Frame, Integer>();
    for (int i = 0; i < count; i++) index.put(tops[i], i);
    for (int i = 0; i < second.tops.length; i++) {
      var same = index.get(second.tops[i]);
      if (same != null) {
        below[same] = union(below[same], second.below[i], depth + 1);
      } else {
        tops[count] = second.tops[i];
        below[count++] = second.below[i];
      }
    }
    var union = ordered(tops, below, count, first.hasEnd || second.hasEnd);
    unions.put(pair, union);
    room.take(12);
    return union;
  }

  /** Equal sets in equal order, or they would be several. */
  private Stack ordered(Frame[] tops, Stack[] below, int count, boolean hasEnd) {
    var order = new Integer[count];
    for (int i = 0; i < count; i++) order[i] = i;
    Arrays.sort(order, (x, y) -> Integer.compare(number(tops[x]), number(tops[y])));
    var sortedTops = new Frame[count];
    var sortedBelow = new Stack[count];
    for (int i = 0; i < count; i++) {
      sortedTops[i] = tops[order[i]];
      sortedBelow[i] = below[order[i]];
    }
    return make(sortedTops, sortedBelow, hasEnd);
  }

  private int number(Frame frame) {
    return numbers.computeIfAbsent(frame, _ -> numbers.size());
  }
}
