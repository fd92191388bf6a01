package weft.text.jinja;

import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;
import weft.text.jinja.Arguments.Bound;
import weft.text.jinja.Value.Function;
import weft.text.jinja.Value.Int;
import weft.text.jinja.Value.Listing;
import weft.text.jinja.Value.None;
import weft.text.jinja.Value.Range;
import weft.text.jinja.Value.Real;
import weft.text.jinja.Value.Sequence;
import weft.text.jinja.Value.Text;
import weft.text.jinja.Value.Tuple;
import weft.text.jinja.Value.View;
import weft.text.jinja.Value.Whole;

/** The attributes and methods that Python's own types have, less those that the sandbox forbids. */
final class Methods {
  private static final Map<String, Builtin> DICT =
      Map.of(
          "get", Methods::get,
          "items", (run, self, arguments) -> view(self, arguments, View.Kind.ITEMS),
          "keys", (run, self, arguments) -> view(self, arguments, View.Kind.KEYS),
          "values", (run, self, arguments) -> view(self, arguments, View.Kind.VALUES),
          "copy", Methods::copy);

  private static final Map<String, Builtin> SEQUENCE =
      Map.of("count", Methods::count, "index", Methods::index);

  private static final Map<String, Builtin> LIST = Map.of("copy", Methods::copy);

  private static final Map<String, Builtin> WHOLE =
      Map.of(
          "bit_length",
              (run, self, arguments) -> Value.number(((Whole) self).big().abs().bitLength()),
          "bit_count",
              (run, self, arguments) -> Value.number(((Whole) self).big().abs().bitCount()),
          "conjugate", (run, self, arguments) -> Arithmetic.plus(self));

  private static final Map<String, Builtin> REAL =
      Map.of(
          "is_integer", (run, self, arguments) -> Value.bool(isInteger((Real) self)),
          "conjugate", (run, self, arguments) -> self);

  private Methods() {}

  static Optional<Value> attribute(Value object, String name) {
    return switch (object) {
      case Text text -> method(StringMethods.ALL, object, name);
      case Dict dict -> method(DICT, object, name);
      case Listing list -> method(SEQUENCE, object, name).or(() -> method(LIST, object, name));
      case Range range -> method(SEQUENCE, object, name).or(() -> bound(range, name));
      case Tuple tuple -> method(SEQUENCE, object, name);
      case Whole whole -> method(WHOLE, object, name).or(() -> part(whole, name));
      case Real real -> method(REAL, object, name).or(() -> part(real, name));
      default -> Optional.empty();
    };
  }

  private static Optional<Value> method(Map<String, Builtin> methods, Value self, String name) {
    return Optional.ofNullable(methods.get(name)).map(body -> new Function(name, self, body));
  }

  private static Optional<Value> bound(Range range, String name) {
    return switch (name) {
      case "start" -> Optional.of(new Int(range.start()));
      case "stop" -> Optional.of(new Int(range.stop()));
      case "step" -> Optional.of(new Int(range.step()));
      default -> Optional.empty();
    };
  }

  private static Optional<Value> part(Whole whole, String name) {
    return switch (name) {
      case "real", "numerator" -> Optional.of(Arithmetic.plus(whole));
      case "imag" -> Optional.of(new Int(0));
      case "denominator" -> Optional.of(Value.number(BigInteger.ONE));
      default -> Optional.empty();
    };
  }

  private static Optional<Value> part(Real real, String name) {
    return switch (name) {
      case "real" -> Optional.of(real);
      case "imag" -> Optional.of(new Real(0));
      default -> Optional.empty();
    };
  }

  private static boolean isInteger(Real real) {
    return real.value() == Math.rint(real.value()) && !Double.isInfinite(real.value());
  }

  private static Value get(Run run, Value self, Arguments arguments) {
    Bound bound = arguments.positionalOnly("get", "key", "default");
    return ((Dict) self).get(bound.required(0)).or(() -> bound.optional(1)).orElse(None.NONE);
  }

  private static Value view(Value self, Arguments arguments, View.Kind kind) {
    arguments.positionalOnly(kind.name().toLowerCase(java.util.Locale.ROOT));
    return new View((Dict) self, kind);
  }

  private static Value copy(Run run, Value self, Arguments arguments) {
    arguments.positionalOnly("copy");
    // Nothing in a template can change a list or dictionary, so the copy may be the original.
    return self;
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
