package weft.constrain;

import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Refuses expressions nested so deep that to walk one would not fit the stack. */
final class Depths {
  private static final int DEEPEST_REGEX = 1_000;

  private final Map<Regex, Integer> known = new IdentityHashMap<>();

  void require(Regex root) {
    var open = new ArrayDeque<Regex>();
    open.push(root);
    while (!open.isEmpty()) {
      var regex = open.peek();
      int depth = 0;
      boolean isReady = true;
      for (var part : parts(regex)) {
        var inner = known.get(part);
        if (inner == null) {
          open.push(part);
          isReady = false;
        } else {
          depth = Math.max(depth, inner);
        }
      }
      if (!isReady) continue;
      open.pop();
      if (depth >= DEEPEST_REGEX) {
        throw new ConstrainException(
            "an expression nested deeper than " + DEEPEST_REGEX + " parts; make it simpler");
      }
      known.put(regex, depth + 1);
    }
  }

  private static List<Regex> parts(Regex regex) {
    return switch (regex) {
      case Regex.Characters _, Regex.Text _ -> List.of();
      case Regex.Sequence(var parts) -> parts;
      case Regex.AnyOf(var parts) -> parts;
      case Regex.AllOf(var parts) -> parts;
      case Regex.Not(var part) -> List.of(part);
      case Regex.Repeat(var part, _, _) -> List.of(part);
    };
  }
}
