package weft.text.jinja;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalInt;
import weft.text.jinja.Value.Int;
import weft.text.jinja.Value.Listing;
import weft.text.jinja.Value.Numeric;
import weft.text.jinja.Value.Range;
import weft.text.jinja.Value.Sequence;
import weft.text.jinja.Value.Text;
import weft.text.jinja.Value.Tuple;
import weft.text.jinja.Value.View;

/** What Python's {@code iter}, {@code len}, {@code reversed} and {@code in} do with every value. */
final class Iteration {
  private Iteration() {}

  /** The values of an iterable in order; empty when the value is not iterable. */
  static Optional<Iterator<Value>> tryIterate(Value value) {
    return switch (value) {
      case Listing(List<Value> items) -> Optional.of(items.iterator());
      case Tuple tuple -> Optional.of(tuple.items().iterator());
      case Range range -> Optional.of(sequence(range));
      case Text text -> Optional.of(characters(text));
      case Dict dict -> Optional.of(keys(dict));
      case View view -> Optional.of(view(view));
      case Generator generator -> Optional.of(generator);
      case Undefined undefined -> Optional.of(Collections.emptyIterator());
      default -> Optional.empty();
    };
  }

  static Iterator<Value> iterate(Value value) {
    return tryIterate(value)
        .orElseThrow(() -> Failure.runtime("'" + value.typeName() + "' object is not iterable"));
  }

  /** All values of an iterable. */
  static List<Value> list(Run run, Value value) {
    Items items = new Items(run);
    for (Iterator<Value> iterator = iterate(value); iterator.hasNext(); ) {
      items.add(iterator.next());
    }
    return items.list();
  }

  /** Python's {@code len}; empty where Python raises. */
  static OptionalInt length(Run run, Value value) {
    return switch (value) {
      case Text text -> OptionalInt.of(length(run, text));
      case Sequence sequence -> OptionalInt.of(sequence.size());
      case Dict dict -> OptionalInt.of(dict.size());
      case View view -> OptionalInt.of(view.dict().size());
      case Undefined undefined -> OptionalInt.of(0);
      case Loop loop -> OptionalInt.of(loop.length());
      default -> OptionalInt.empty();
    };
  }

  /** The number of code points, which has to be counted. */
  static int length(Run run, Text text) {
    run.budget().scan(text.text().length());
    return Characters.length(text.text());
  }

  /** Python's {@code reversed}; empty where Python raises. */
  static Optional<Iterator<Value>> reversed(Run run, Value value) {
    return switch (value) {
      case Sequence sequence -> Optional.of(backwards(sequence));
      case Text text -> Optional.of(backwards(new Listing(list(run, text))));
      case Dict dict -> Optional.of(backwards(new Listing(list(run, dict))));
      case View view -> Optional.of(backwards(new Listing(list(run, view))));
      case Undefined undefined -> Optional.of(Collections.emptyIterator());
      default -> Optional.empty();
    };
  }

  /** Python's {@code item in container}. */
  static boolean contains(Run run, Value container, Value item) {
    return switch (container) {
      case Text text when item instanceof Text part ->
          new TextSearch(run, text.text(), part.text()).next(0) >= 0;
      case Text text ->
          throw Failure.runtime(
              "'in <string>' requires string as left operand, not " + item.typeName());
      case Dict dict -> dict.has(item);
      case View view when view.kind() == View.Kind.KEYS -> view.dict().has(item);
      case Range range when item instanceof Int(long number) ->
          range.size() > 0
              && (number - range.start()) % range.step() == 0
              && (number - range.start()) / range.step() >= 0
              && (number - range.start()) / range.step() < range.size();
      default -> {
        Iterator<Value> items =
            tryIterate(container)
                .orElseThrow(
                    () ->
                        Failure.runtime(
                            "argument of type '" + container.typeName() + "' is not iterable"));
        while (items.hasNext()) {
          Value candidate = items.next();
          if (candidate == item && !(item instanceof Numeric)
              || Comparison.equal(run, candidate, item)) {
            yield true;
          }
        }
        yield false;
      }
    };
  }

  private static Iterator<Value> sequence(Sequence sequence) {
    return new Iterator<>() {
      private int next;

      @Override
      public boolean hasNext() {
        return next < sequence.size();
      }

      @Override
      public Value next() {
        return sequence.get(next++);
      }
    };
  }

  private static Iterator<Value> backwards(Sequence sequence) {
    return new Iterator<>() {
      private int left = sequence.size();

      @Override
      public boolean hasNext() {
        return left > 0;
      }

      @Override
      public Value next() {
        return sequence.get(--left);
      }
    };
  }

  private static Iterator<Value> characters(Text text) {
    String all = text.text();
    return new Iterator<>() {
      private int offset;

      @Override
      public boolean hasNext() {
        return offset < all.length();
      }

      @Override
      public Value next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        int start = offset;
        offset = all.offsetByCodePoints(start, 1);
        // Python's Markup does not override iteration, so its characters are plain strings.
        return Value.text(all.substring(start, offset));
      }
    };
  }

  private static Iterator<Value> keys(Dict dict) {
    Iterator<Dict.Entry> entries = dict.entries().iterator();
    return mapped(entries, Dict.Entry::key);
  }

  private static Iterator<Value> view(View view) {
    Iterator<Dict.Entry> entries = view.dict().entries().iterator();
    return switch (view.kind()) {
      case KEYS -> mapped(entries, Dict.Entry::key);
      case VALUES -> mapped(entries, Dict.Entry::value);
      case ITEMS -> mapped(entries, entry -> Tuple.of(entry.key(), entry.value()));
    };
  }

  static <T> Iterator<Value> mapped(
      Iterator<T> source, java.util.function.Function<T, Value> function) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return source.hasNext();
      }

      @Override
      public Value next() {
        return function.apply(source.next());
      }
    };
  }
}
