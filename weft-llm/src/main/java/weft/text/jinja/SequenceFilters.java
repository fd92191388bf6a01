package weft.text.jinja;

import static java.util.Map.entry;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import weft.text.jinja.Arguments.Bound;
import weft.text.jinja.Value.Int;
import weft.text.jinja.Value.Listing;
import weft.text.jinja.Value.None;
import weft.text.jinja.Value.Text;
import weft.text.jinja.Value.View;

/** Filters on sequences and mappings, and the default filter. */
final class SequenceFilters {
  static final Map<String, Builtin> ALL =
      Map.ofEntries(
          entry("attr", SequenceFilters::attribute),
          entry("batch", SequenceFilters::batch),
          entry("slice", SequenceFilters::slice),
          entry("count", SequenceFilters::length),
          entry("length", SequenceFilters::length),
          entry("default", SequenceFilters::defaultValue),
          entry("d", SequenceFilters::defaultValue),
          entry("first", SequenceFilters::first),
          entry("last", SequenceFilters::last),
          entry("items", SequenceFilters::items),
          entry("list", SequenceFilters::list),
          entry("reverse", SequenceFilters::reverse),
          entry("sum", SequenceFilters::sum));

  private SequenceFilters() {}

  private static Value attribute(Run run, Value self, Arguments arguments) {
    String name = arguments.bind("attr", "name").text(0);
    if (self instanceof Undefined undefined) {
      throw undefined.failure();
    }
    return Access.ownAttribute(self, name).orElseGet(() -> Undefined.attribute(self, name));
  }

  static Value length(Run run, Value self, Arguments arguments) {
    arguments.bind("length");
    return Value.number(
        Iteration.length(run, self)
            .orElseThrow(
                () -> Failure.runtime("object of type '" + self.typeName() + "' has no len()")));
  }

  private static Value defaultValue(Run run, Value self, Arguments arguments) {
    Bound bound = arguments.bind("default", "default_value", "boolean");
    boolean missing = self instanceof Undefined || bound.truth(1, false) && !self.truth();
    return missing ? bound.optional(0).orElse(Value.text("")) : self;
  }

  private static Value first(Run run, Value self, Arguments arguments) {
    arguments.bind("first");
    Iterator<Value> items = Iteration.iterate(self);
    return items.hasNext() ? items.next() : Undefined.because("No first item, sequence was empty.");
  }

  private static Value last(Run run, Value self, Arguments arguments) {
    arguments.bind("last");
    Iterator<Value> items =
        Iteration.reversed(run, self)
            .orElseThrow(
                () -> Failure.runtime("'" + self.typeName() + "' object is not reversible"));
    return items.hasNext() ? items.next() : Undefined.because("No last item, sequence was empty.");
  }

  private static Value items(Run run, Value self, Arguments arguments) {
    arguments.bind("items");
    return switch (self) {
      case Dict dict -> Generator.of(run, Iteration.iterate(new View(dict, View.Kind.ITEMS)));
      case Undefined undefined -> Generator.of(run, Collections.emptyIterator());
      default -> throw Failure.runtime("Can only get item pairs from a mapping.");
    };
  }

  private static Value list(Run run, Value self, Arguments arguments) {
    arguments.bind("list");
    return new Listing(Iteration.list(run, self));
  }

  private static Value reverse(Run run, Value self, Arguments arguments) {
    arguments.bind("reverse");
    if (self instanceof Text text) {
      return Access.slice(run, text, None.NONE, None.NONE, new Int(-1));
    }
    Optional<Iterator<Value>> reversed = Iteration.reversed(run, self);
    if (reversed.isPresent()) {
      return Generator.reversed(run, self, reversed.get());
    }
    List<Value> items = Iteration.list(run, self);
    Collections.reverse(items);
    return new Listing(items);
  }

  private static Value sum(Run run, Value self, Arguments arguments) {
    Bound bound = arguments.bind("sum", "attribute", "start");
    AttributePath path = AttributePath.of(bound.optional(0).orElse(None.NONE));
    Value total = bound.optional(1).orElse(new Int(0));
    if (total instanceof Text) {
      throw Failure.runtime("sum() can't sum strings [use ''.join(seq) instead]");
    }
    for (Iterator<Value> items = Iteration.iterate(self); items.hasNext(); ) {
      run.budget().step();
      total = Arithmetic.Operator.ADD.apply(run, total, path.get(run, items.next()));
    }
    return total;
  }

  private static Value batch(Run run, Value self, Arguments arguments) {
    Bound bound = arguments.bind("batch", "linecount", "fill_with");
    int size = bound.requiredInteger(0);
    Optional<Value> fill = bound.given(1);
    // Without a positive size all items land in one batch.
    return Generator.of(run, new Batches(run, self, size > 0 ? size : Integer.MAX_VALUE, fill));
  }

  /**
   * Lists of {@code size} items each, the last filled up when there is something to fill it with.
   */
  private static final class Batches implements Iterator<Value> {
    private final Run run;
    private final Iterator<Value> items;
    private final int size;
    private final Optional<Value> fill;

    private Batches(Run run, Value source, int size, Optional<Value> fill) {
      this.run = run;
      this.items = Iteration.iterate(source);
      this.size = size;
      this.fill = fill;
    }

    @Override
    public boolean hasNext() {
      return items.hasNext();
    }

    @Override
    public Value next() {
      Items batch = new Items(run);
      while (items.hasNext() && batch.size() < size) {
        batch.add(items.next());
      }
      if (fill.isPresent() && size != Integer.MAX_VALUE) {
        batch.addCopies(fill.get(), size - batch.size());
      }
      return new Listing(batch.list());
    }
  }

  private static Value slice(Run run, Value self, Arguments arguments) {
    Bound bound = arguments.bind("slice", "slices", "fill_with");
    int count = bound.requiredInteger(0);
    Optional<Value> fill = bound.given(1);
    return Generator.of(run, new Slices(run, self, count, fill));
  }

  /**
   * {@code count} lists of about the same length; the first ones get what does not divide evenly.
   */
  private static final class Slices implements Iterator<Value> {
    private final Run run;
    private final Value source;
    private final int count;
    private final Optional<Value> fill;
    private List<Value> items = List.of();
    private int next;
    private int offset;

    private Slices(Run run, Value source, int count, Optional<Value> fill) {
      this.run = run;
      this.source = source;
      this.count = count;
      this.fill = fill;
    }

    @Override
    public boolean hasNext() {
      if (next == 0) {
        items = Iteration.list(run, source);
        if (count == 0) {
          throw Failure.runtime("integer division or modulo by zero");
        }
      }
      return next < count;
    }

    @Override
    public Value next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      boolean extra = next < items.size() % count;
      int size = items.size() / count + (extra ? 1 : 0);
      Items slice = new Items(run).addAll(items.subList(offset, offset + size));
      if (!extra && fill.isPresent()) {
        slice.add(fill.get());
      }
      offset += size;
      next++;
      return new Listing(slice.list());
    }
  }
}
