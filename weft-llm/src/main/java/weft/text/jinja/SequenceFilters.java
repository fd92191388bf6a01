package weft.text.jinja;

import static java.util.Map.entry;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
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
}
