package weft.text.jinja;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import weft.text.jinja.Value.None;
import weft.text.jinja.Value.Text;

/** Filters that apply another filter or test to each item, one item at a time. */
final class SelectFilters {
  static final Map<String, Builtin> ALL =
      Map.of(
          "map", SelectFilters::map,
          "select", (run, self, arguments) -> select(run, self, arguments, true),
          "reject", (run, self, arguments) -> select(run, self, arguments, false),
          "selectattr", (run, self, arguments) -> selectByAttribute(run, self, arguments, true),
          "rejectattr", (run, self, arguments) -> selectByAttribute(run, self, arguments, false));

  private SelectFilters() {}

  private static Value map(Run run, Value self, Arguments arguments) {
    if (!self.truth()) {
      return Generator.of(run, Collections.emptyIterator());
    }
    return Generator.of(run, Iteration.mapped(Iteration.iterate(self), mapping(run, arguments)));
  }

  private static java.util.function.Function<Value, Value> mapping(Run run, Arguments arguments) {
    if (arguments.positional().isEmpty() && arguments.keywords().containsKey("attribute")) {
      Arguments.Bound bound = arguments.bind("map", "attribute", "default");
      AttributePath path = AttributePath.of(bound.required(0));
      Optional<Value> otherwise = bound.given(1);
      return item -> path.get(run, item, otherwise);
    }
    if (arguments.positional().isEmpty()) {
      throw Failure.runtime("map requires a filter argument");
    }
    Builtin filter = Filters.named(name(arguments.positional().getFirst()));
    Arguments rest = arguments.skip(1);
    return item -> filter.apply(run, item, rest);
  }

  private static String name(Value value) {
    if (value instanceof Text text) {
      return text.text();
    }
    throw Failure.runtime("a filter or test is named by a string, not by " + Printer.brief(value));
  }

  private static Value select(Run run, Value self, Arguments arguments, boolean wanted) {
    return selected(run, self, AttributePath.of(None.NONE), arguments, wanted);
  }

  private static Value selectByAttribute(Run run, Value self, Arguments arguments, boolean wanted) {
    if (!self.truth()) {
      return Generator.of(run, Collections.emptyIterator());
    }
    List<Value> positional = arguments.positional();
    if (positional.isEmpty()) {
      throw Failure.runtime("Missing parameter for attribute name");
    }
    return selected(run, self, AttributePath.of(positional.getFirst()), arguments.skip(1), wanted);
  }

  private static Value selected(
      Run run, Value self, AttributePath path, Arguments arguments, boolean wanted) {
    if (!self.truth()) {
      return Generator.of(run, Collections.emptyIterator());
    }
    Iterator<Value> items = Iteration.iterate(self);
    if (arguments.positional().isEmpty()) {
      return Generator.of(
          run, Selected.where(run, items, item -> path.get(run, item).truth() == wanted));
    }
    Builtin test = Tests.named(name(arguments.positional().getFirst()));
    Arguments rest = arguments.skip(1);
    return Generator.of(
        run,
        Selected.where(
            run, items, item -> test.apply(run, path.get(run, item), rest).truth() == wanted));
  }
}
