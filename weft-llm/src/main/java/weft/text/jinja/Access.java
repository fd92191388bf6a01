package weft.text.jinja;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import weft.text.jinja.Value.Listing;
import weft.text.jinja.Value.None;
import weft.text.jinja.Value.Range;
import weft.text.jinja.Value.Sequence;
import weft.text.jinja.Value.Text;
import weft.text.jinja.Value.Tuple;
import weft.text.jinja.Value.Whole;

/** Attributes, items and slices as the sandboxed environment gives them. */
final class Access {
  private static final Set<String> CHANGES_LIST =
      Set.of("append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort");
  private static final Set<String> CHANGES_DICT =
      Set.of("clear", "pop", "popitem", "setdefault", "update");

  private Access() {}

  /** {@code object.name}: an attribute or method first, then an item. */
  static Value attribute(Run run, Value object, String name) {
    if (object instanceof Undefined undefined) {
      throw undefined.failure();
    }
    Optional<Value> own = ownAttribute(object, name);
    if (own.isPresent()) {
      return own.get();
    }
    return (object instanceof Dict dict ? dict.get(name) : Optional.<Value>empty())
        .orElseGet(() -> Undefined.attribute(object, name));
  }

  /** {@code object[key]}: an item first, then an attribute or method. */
  static Value item(Run run, Value object, Value key) {
    Optional<Value> item =
        switch (object) {
          case Undefined undefined -> throw undefined.failure();
          case Dict dict -> Dict.isHashable(key) ? dict.get(key) : Optional.empty();
          case Sequence sequence when key instanceof Whole whole ->
              position(whole, sequence.size()).map(sequence::get);
          case Text text when key instanceof Whole whole ->
              position(whole, Iteration.length(run, text))
                  .map(i -> text.like(Characters.at(text.text(), i)));
          default -> Optional.empty();
        };
    if (item.isPresent()) {
      return item.get();
    }
    if (key instanceof Text name) {
      return ownAttribute(object, name.text())
          .orElseGet(() -> Undefined.attribute(object, name.text()));
    }
    return Undefined.element(object, key);
  }

  /** What {@code getattr} finds in Python; what the sandbox forbids is undefined. */
  static Optional<Value> ownAttribute(Value object, String name) {
    Optional<Value> found =
        switch (object) {
          case Namespace(Dict attributes) -> attributes.get(name);
          case Loop loop -> loop.attribute(name);
          case Macro macro -> macro.attribute(name);
          case Listing list when CHANGES_LIST.contains(name) ->
              Optional.of(Undefined.unsafe(object, name));
          case Dict dict when CHANGES_DICT.contains(name) ->
              Optional.of(Undefined.unsafe(object, name));
          default -> Methods.attribute(object, name);
        };
    boolean hidden =
        found.isPresent()
            ? name.startsWith("_")
            : isInternal(name) && !(object instanceof Namespace);
    return hidden ? Optional.of(Undefined.unsafe(object, name)) : found;
  }

  private static boolean isInternal(String name) {
    return name.length() > 4 && name.startsWith("__") && name.endsWith("__");
  }

  private static Optional<Integer> position(Whole index, int size) {
    int at = Numbers.index(index);
    int position = at < 0 ? at + size : at;
    return position >= 0 && position < size ? Optional.of(position) : Optional.empty();
  }

  /** {@code object[start:stop:step]}, each bound {@code None} when left out. */
  static Value slice(Run run, Value object, Value start, Value stop, Value step) {
    return switch (object) {
      case Text text -> {
        int size = Iteration.length(run, text);
        yield text.like(slice(run, text.text(), size, Slice.of(size, start, stop, step)));
      }
      case Listing(List<Value> items) ->
          new Listing(slice(run, items, Slice.of(items.size(), start, stop, step)));
      case Tuple tuple ->
          new Tuple(slice(run, tuple.items(), Slice.of(tuple.size(), start, stop, step)));
      case Range range -> slice(range, Slice.of(range.size(), start, stop, step));
      case Undefined undefined -> throw undefined.failure();
      case Dict dict -> throw Failure.runtime("unhashable type: 'slice'");
      default -> throw Failure.runtime("'" + object.typeName() + "' object is not subscriptable");
    };
  }

  private static String slice(Run run, String text, int size, Slice slice) {
    int at = Characters.offset(text, slice.start());
    if (slice.step() == 1) {
      return new TextBuilder(run)
          .append(text, at, text.offsetByCodePoints(at, slice.count()))
          .toString();
    }
    run.budget().scan(size);
    boolean isPlain = size == text.length();
    TextBuilder result = new TextBuilder(run);
    for (int i = 0; i < slice.count(); i++) {
      if (isPlain) {
        result.append(text.charAt(slice.at(i)));
      } else {
        at = i == 0 ? at : text.offsetByCodePoints(at, (int) slice.step());
        result.appendCodePoint(text.codePointAt(at));
      }
    }
    return result.toString();
  }

  private static List<Value> slice(Run run, List<Value> items, Slice slice) {
    Items result = new Items(run);
    for (int i = 0; i < slice.count(); i++) {
      result.add(items.get(slice.at(i)));
    }
    return result.list();
  }

  private static Range slice(Range range, Slice slice) {
    long start = range.start() + slice.start() * range.step();
    long step = range.step() * slice.step();
    return new Range(start, range.start() + slice.stop() * range.step(), step, slice.count());
  }

  /**
   * A slice's bounds fitted to a sequence: {@code count} items from {@code start}, {@code step}
   * apart.
   */
  private record Slice(int start, int stop, long step, int count) {
    static Slice of(int size, Value start, Value stop, Value step) {
      long stride = step == None.NONE ? 1 : Numbers.index(bound(step));
      if (stride == 0) {
        throw Failure.runtime("slice step cannot be zero");
      }
      int lowest = stride < 0 ? -1 : 0;
      int highest = stride < 0 ? size - 1 : size;
      int from =
          start == None.NONE ? (stride < 0 ? highest : lowest) : fit(start, size, lowest, highest);
      int to =
          stop == None.NONE ? (stride < 0 ? lowest : highest) : fit(stop, size, lowest, highest);
      long span = stride < 0 ? (long) from - to : (long) to - from;
      int count = span <= 0 ? 0 : (int) ((span - 1) / Math.abs(stride)) + 1;
      return new Slice(count == 0 ? 0 : from, to, stride, count);
    }

    private static Value bound(Value value) {
      return switch (value) {
        case Whole whole -> whole;
        case Undefined undefined -> throw undefined.failure();
        default ->
            throw Failure.runtime(
                "slice indices must be integers or None, not " + value.typeName());
      };
    }

    private static int fit(Value value, int size, int lowest, int highest) {
      long index = Numbers.index(bound(value));
      return Math.clamp(index < 0 ? index + size : index, lowest, highest);
    }

    int at(int index) {
      return (int) (start + index * step);
    }
  }
}
