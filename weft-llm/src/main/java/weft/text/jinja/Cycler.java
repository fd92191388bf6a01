package weft.text.jinja;

import java.util.List;
import java.util.Optional;

/** What {@code cycler()} gives: its items in turn, from the first again after the last. */
final class Cycler implements Value {
  private final List<Value> items;
  private int position;

  Cycler(List<Value> items) {
    this.items = items;
  }

  Optional<Value> attribute(String name) {
    return switch (name) {
      case "current" -> Optional.of(items.get(position));
      case "items" -> Optional.of(new Tuple(items));
      case "pos" -> Optional.of(Value.number(position));
      case "next" -> Optional.of(new Function(name, this, (run, self, arguments) -> next()));
      case "reset" -> Optional.of(new Function(name, this, (run, self, arguments) -> reset()));
      default -> Optional.empty();
    };
  }

  private Value next() {
    Value current = items.get(position);
    position = (position + 1) % items.size();
    return current;
  }

  private Value reset() {
    position = 0;
    return None.NONE;
  }

  @Override
  public String typeName() {
    return "Cycler";
  }
}
