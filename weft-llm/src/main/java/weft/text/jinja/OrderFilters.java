package weft.text.jinja;

import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import weft.text.jinja.Arguments.Bound;
import weft.text.jinja.Value.Listing;
import weft.text.jinja.Value.None;
import weft.text.jinja.Value.Text;
import weft.text.jinja.Value.Tuple;

/** Filters that compare the items of a sequence: by their case only when asked to. */
final class OrderFilters {
  static final Map<String, Builtin> ALL =
      Map.of(
          "sort", OrderFilters::sort,
          "dictsort", OrderFilters::dictSort,
          "unique", OrderFilters::unique,
          "min", (run, self, arguments) -> extreme(run, self, arguments, "min"),
          "max", (run, self, arguments) -> extreme(run, self, arguments, "max"));

  private OrderFilters() {}

  private static Value folded(Run run, Value value, boolean caseSensitive) {
    if (caseSensitive || !(value instanceof Text text)) {
      return value;
    }
    return text.like(Characters.lower(run, text.text()));
  }

  private static Value sort(Run run, Value self, Arguments arguments) {
    Bound bound = arguments.bind("sort", "reverse", "case_sensitive", "attribute");
    boolean caseSensitive = bound.truth(1, false);
    List<AttributePath> paths = AttributePath.several(bound.optional(2).orElse(None.NONE));
    List<Value> items = Iteration.list(run, self);
    Items keys = new Items(run);
    for (Value item : items) {
      Items key = new Items(run);
      for (AttributePath path : paths) {
        key.add(folded(run, path.get(run, item), caseSensitive));
      }
      keys.add(new Listing(key.list()));
    }
    return new Listing(sorted(run, items, keys.list(), bound.truth(0, false)));
  }

  private static List<Value> sorted(Run run, List<Value> items, List<Value> keys, boolean reverse) {
    Items sorted = new Items(run);
    for (int index : Comparison.sortedOrder(run, keys, reverse)) {
      sorted.add(items.get(index));
    }
    return sorted.list();
  }

  private static Value dictSort(Run run, Value self, Arguments arguments) {
    Bound bound = arguments.bind("dictsort", "case_sensitive", "by", "reverse");
    if (!(self instanceof Dict dict)) {
      throw self instanceof Undefined undefined
          ? undefined.failure()
          : Failure.runtime("dictsort needs a mapping, not " + self.typeName());
    }
    boolean byKey =
        switch (bound.text(1, "key")) {
          case "key" -> true;
          case "value" -> false;
          default -> throw Failure.runtime("You can only sort by either \"key\" or \"value\"");
        };
    boolean caseSensitive = bound.truth(0, false);
    Items items = new Items(run);
    Items keys = new Items(run);
    for (Dict.Entry entry : dict.entries()) {
      items.add(Tuple.of(entry.key(), entry.value()));
      keys.add(folded(run, byKey ? entry.key() : entry.value(), caseSensitive));
    }
    return new Listing(sorted(run, items.list(), keys.list(), bound.truth(2, false)));
  }

  private static Value unique(Run run, Value self, Arguments arguments) {
    Bound bound = arguments.bind("unique", "case_sensitive", "attribute");
    boolean caseSensitive = bound.truth(0, false);
    AttributePath path = AttributePath.of(bound.optional(1).orElse(None.NONE));
    Set<Object> seen = new HashSet<>();
    Iterator<Value> items = Iteration.iterate(self);
    return Generator.of(
        run,
        Selected.where(
            run,
            items,
            item -> {
              run.budget().items(1);
              return seen.add(Dict.canonical(run, folded(run, path.get(run, item), caseSensitive)));
            }));
  }

  private static Value extreme(Run run, Value self, Arguments arguments, String name) {
    Bound bound = arguments.bind(name, "case_sensitive", "attribute");
    boolean caseSensitive = bound.truth(0, false);
    AttributePath path = AttributePath.of(bound.optional(1).orElse(None.NONE));
    Iterator<Value> items = Iteration.iterate(self);
    if (!items.hasNext()) {
      return Undefined.because("No aggregated item, sequence was empty.");
    }
    Value best = items.next();
    Value bestKey = folded(run, path.get(run, best), caseSensitive);
    while (items.hasNext()) {
      run.budget().step();
      Value item = items.next();
      Value key = folded(run, path.get(run, item), caseSensitive);
      Comparison.Operator better =
          name.equals("min") ? Comparison.Operator.LESS : Comparison.Operator.GREATER;
      if (better.test(run, key, bestKey)) {
        best = item;
        bestKey = key;
      }
    }
    return best;
  }
}
