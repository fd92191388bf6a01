package weft.text.tokenizer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Parts of a text, merged and in order, so that one that meets a place is found by halving. */
final class Spans {
  private final List<Span> inOrder = new ArrayList<>();

  Spans(List<Span> spans) {
    for (Span span : spans.stream().sorted(Comparator.comparingInt(Span::start)).toList()) {
      if (inOrder.isEmpty() || span.start() > inOrder.getLast().end()) {
        inOrder.add(span);
      } else {
        Span last = inOrder.removeLast();
        inOrder.add(new Span(last.start(), Math.max(last.end(), span.end())));
      }
    }
  }

  /** Whether some part has a character between two places. */
  boolean meet(int start, int end) {
    int low = 0;
    int high = inOrder.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (inOrder.get(middle).start() < end) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low > 0 && inOrder.get(low - 1).meets(start, end);
  }
}
