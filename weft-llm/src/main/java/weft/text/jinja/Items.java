package weft.text.jinja;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/**
 * The one place where a rendering's lists grow, so that each item is paid for before it is there.
 */
final class Items {
  private final Run run;
  private final List<Value> values = new ArrayList<>();

  Items(Run run) {
    this.run = run;
  }

  Items add(Value value) {
    run.budget().items(1);
    values.add(value);
    return this;
  }

  Items addAll(Collection<? extends Value> more) {
    run.budget().items(more.size());
    values.addAll(more);
    return this;
  }

  Items addCopies(Value value, int count) {
    run.budget().items(count);
    values.addAll(Collections.nCopies(count, value));
    return this;
  }

  int size() {
    return values.size();
  }

  boolean isEmpty() {
    return values.isEmpty();
  }

  /** All of them; nothing is added any more. */
  List<Value> list() {
    return values;
  }
}
