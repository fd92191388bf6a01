package weft.text.jinja;

import java.util.Map;
import java.util.Optional;
import weft.text.jinja.Arguments.Bound;
import weft.text.jinja.Value.Int;
import weft.text.jinja.Value.Numeric;
import weft.text.jinja.Value.Real;
import weft.text.jinja.Value.Text;
import weft.text.jinja.Value.Whole;

/** Filters that make or change numbers. */
final class NumberFilters {
  static final Map<String, Builtin> ALL =
      Map.of(
          "abs", (run, self, arguments) -> absolute(self, arguments),
          "int", NumberFilters::toInt,
          "float", NumberFilters::toFloat,
          "round", NumberFilters::round);

  private NumberFilters() {}

  private static Value absolute(Value self, Arguments arguments) {
    arguments.bind("abs");
    return Arithmetic.absolute(self);
  }

  private static Value toInt(Run run, Value self, Arguments arguments) {
    Bound bound = arguments.bind("int", "default");
    Value otherwise = bound.optional(0).orElse(new Int(0));
    if (self instanceof Text text) {
      run.budget().text(text.text().length());
      Optional<Whole> whole = Numbers.parseWhole(run, text.text());
      if (whole.isPresent()) {
        return whole.get();
      }
      return Numbers.parseReal(run, text.text())
          .filter(Double::isFinite)
          .<Value>map(Numbers::truncate)
          .orElse(otherwise);
    }
    if (self instanceof Real(double real) && Double.isNaN(real)) {
      return otherwise;
    }
    return Numbers.whole(self).<Value>map(whole -> whole).orElse(otherwise);
  }

  private static Value toFloat(Run run, Value self, Arguments arguments) {
    Bound bound = arguments.bind("float", "default");
    if (self instanceof Text text) {
      run.budget().text(text.text().length());
    }
    return Numbers.realOf(run, self)
        .<Value>map(Real::new)
        .or(() -> bound.optional(0))
        .orElse(new Real(0));
  }

  private static Value round(Run run, Value self, Arguments arguments) {
    Bound bound = arguments.bind("round", "precision", "method");
    int precision = bound.integer(0, 0);
    String method = bound.text(1, "common");
    if (!(self instanceof Numeric number)) {
      throw self instanceof Undefined undefined
          ? undefined.failure()
          : Failure.runtime("type " + self.typeName() + " doesn't define __round__ method");
    }
    if (method.equals("common")) {
      return Numbers.round(number, precision);
    }
    if (!method.equals("ceil") && !method.equals("floor")) {
      throw Failure.runtime("method must be common, ceil or floor");
    }
    Value scale = Arithmetic.Operator.POWER.apply(run, new Int(10), new Int(precision));
    Value scaled = Arithmetic.Operator.MULTIPLY.apply(run, number, scale);
    Value whole =
        switch (scaled) {
          case Real(double real) ->
              Numbers.truncate(method.equals("ceil") ? Math.ceil(real) : Math.floor(real));
          default -> scaled;
        };
    return Arithmetic.Operator.DIVIDE.apply(run, whole, scale);
  }
}
