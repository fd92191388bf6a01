package weft.text.jinja;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** The items of an iterator that a choice takes, one at a time and paid for by the step. */
final class Selected implements Iterator<Value> {
  private final Run run;
  private final Iterator<Value> items;
  private final Function<Value, Optional<Value>> choice;
  private Optional<Value> ahead = Optional.empty();

  Selected(Run run, Iterator<Value> items, Function<Value, Optional<Value>> choice) {
    this.run = run;
    this.items = items;
    this.choice = choice;
  }

  static Selected where(Run run, Iterator<Value> items, Predicate<Value> takes) {
    return new Selected(run, items, item -> Optional.of(item).filter(takes));
  }

  @Override
  public boolean hasNext() {
    while (ahead.isEmpty() && items.hasNext()) {
      run.budget().step();
      ahead = choice.apply(items.next());
    }
    return ahead.isPresent();
  }

  @Override
  public Value next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    Value item = ahead.orElseThrow();
    ahead = Optional.empty();
    return item;
  }
}
