package weft.text.jinja;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalInt;

/** The special variable {@code loop}: where a loop is. */
final class Loop implements Value {
  private final Run run;
  private Iterator<Value> source;
  private OptionalInt length;
  private Optional<Value> ahead = Optional.empty();
  private Optional<Value> current = Optional.empty();
  private Optional<Value> before = Optional.empty();
  private Optional<Value> lastChanged = Optional.empty();
  private int index = -1;

  Loop(Run run, Iterator<Value> source, OptionalInt length) {
    this.run = run;
    this.source = source;
    this.length = length;
  }

  boolean hasNext() {
    return ahead.isPresent() || source.hasNext();
  }

  Value next() {
    Value value = peek().orElseThrow(NoSuchElementException::new);
    ahead = Optional.empty();
    index++;
    before = current;
    current = Optional.of(value);
    return value;
  }

  private Optional<Value> peek() {
    if (ahead.isEmpty() && source.hasNext()) {
      ahead = Optional.of(source.next());
    }
    return ahead;
  }

  /** The number of items; those of a generator are all made to count them. */
  int length() {
    if (length.isEmpty()) {
      Items rest = new Items(run);
      source.forEachRemaining(rest::add);
      source = rest.list().iterator();
      length = OptionalInt.of(rest.size() + index + 1 + (ahead.isPresent() ? 1 : 0));
    }
    return length.getAsInt();
  }

  Optional<Value> attribute(String name) {
    return switch (name) {
      case "index" -> Optional.of(Value.number(index + 1));
      case "index0" -> Optional.of(Value.number(index));
      case "first" -> Optional.of(Value.bool(index == 0));
      case "last" -> Optional.of(Value.bool(peek().isEmpty()));
      case "length" -> Optional.of(Value.number(length()));
      case "revindex" -> Optional.of(Value.number(length() - index));
      case "revindex0" -> Optional.of(Value.number(length() - index - 1));
      case "depth" -> Optional.of(Value.number(1));
      case "depth0" -> Optional.of(Value.number(0));
      case "previtem" ->
          Optional.of(before.orElseGet(() -> Undefined.because("there is no previous item")));
      case "nextitem" ->
          Optional.of(peek().orElseGet(() -> Undefined.because("there is no next item")));
      case "cycle" ->
          Optional.of(new Function(name, this, (run, self, arguments) -> cycle(arguments)));
      case "changed" ->
          Optional.of(new Function(name, this, (run, self, arguments) -> changed(arguments)));
      default -> Optional.empty();
    };
  }

  private Value cycle(Arguments arguments) {
    List<Value> items = arguments.positional();
    if (items.isEmpty() || !arguments.keywords().isEmpty()) {
      throw Failure.runtime("no items for cycling given");
    }
    return items.get(index % items.size());
  }

  private Value changed(Arguments arguments) {
    Tuple values = new Tuple(arguments.positional());
    boolean changed = lastChanged.isEmpty() || !Comparison.equal(run, lastChanged.get(), values);
    lastChanged = Optional.of(values);
    return Value.bool(changed);
  }

  String progress() {
    return (index + 1) + "/" + length();
  }

  @Override
  public String typeName() {
    return "LoopContext";
  }
}
