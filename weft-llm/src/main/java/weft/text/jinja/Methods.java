package weft.text.jinja;

import java.util.Map;
import java.util.Optional;
import weft.text.jinja.Arguments.Bound;
import weft.text.jinja.Value.Function;
import weft.text.jinja.Value.None;
import weft.text.jinja.Value.Sequence;
import weft.text.jinja.Value.Text;
import weft.text.jinja.Value.View;

/** The attributes and methods that Python's own types have, less those that the sandbox forbids. */
final class Methods {
  private static final Map<String, Builtin> DICT =
      Map.of(
          "get", Methods::get,
          "items", (run, self, arguments) -> view(self, arguments, View.Kind.ITEMS),
          "keys", (run, self, arguments) -> view(self, arguments, View.Kind.KEYS),
          "values", (run, self, arguments) -> view(self, arguments, View.Kind.VALUES));

  private static final Map<String, Builtin> SEQUENCE =
      Map.of("count", Methods::count, "index", Methods::index);

  private Methods() {}

  static Optional<Value> attribute(Value object, String name) {
    return switch (object) {
      case Text text -> method(StringMethods.ALL, object, name);
      case Dict dict -> method(DICT, object, name);
      case Sequence sequence -> method(SEQUENCE, object, name);
      default -> Optional.empty();
    };
  }

  private static Optional<Value> method(Map<String, Builtin> methods, Value self, String name) {
    return Optional.ofNullable(methods.get(name)).map(body -> new Function(name, self, body));
  }

  private static Value get(Run run, Value self, Arguments arguments) {
    Bound bound = arguments.positionalOnly("get", "key", "default");
    return ((Dict) self).get(bound.required(0)).or(() -> bound.optional(1)).orElse(None.NONE);
  }

  private static Value view(Value self, Arguments arguments, View.Kind kind) {
    arguments.positionalOnly(kind.name().toLowerCase(java.util.Locale.ROOT));
    return new View((Dict) self, kind);
  }

  private static Value count(Run run, Value self, Arguments arguments) {
    Value wanted = arguments.positionalOnly("count", "value").required(0);
    Sequence sequence = (Sequence) self;
    int count = 0;
    for (int i = 0; i < sequence.size(); i++) {
      count += Comparison.equal(run, sequence.get(i), wanted) ? 1 : 0;
    }
    return Value.number(count);
  }

  private static Value index(Run run, Value self, Arguments arguments) {
    Bound bound = arguments.positionalOnly("index", "value", "start", "stop");
    Sequence sequence = (Sequence) self;
    int from = fit(bound.integer(1, 0), sequence.size());
    int to = fit(bound.integer(2, sequence.size()), sequence.size());
    for (int i = from; i < to; i++) {
      if (Comparison.equal(run, sequence.get(i), bound.required(0))) {
        return Value.number(i);
      }
    }
    throw Failure.runtime(Printer.brief(bound.required(0)) + " is not in " + self.typeName());
  }

  private static int fit(int index, int size) {
    return Math.clamp(index < 0 ? (long) index + size : index, 0, size);
  }
}
