package weft.text.jinja;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import weft.text.jinja.Arguments.Bound;
import weft.text.jinja.Value.Int;
import weft.text.jinja.Value.Numeric;
import weft.text.jinja.Value.Real;
import weft.text.jinja.Value.Str;
import weft.text.jinja.Value.Text;
import weft.text.jinja.Value.Whole;

/** Filters that make or change numbers. */
final class NumberFilters {
  static final Map<String, Builtin> ALL =
      Map.of(
          "abs", (run, self, arguments) -> absolute(self, arguments),
          "int", NumberFilters::toInt,
          "float", NumberFilters::toFloat,
          "round", NumberFilters::round,
          "filesizeformat", NumberFilters::fileSize);

  private static final List<String> DECIMAL_UNITS =
      List.of("kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB");
  private static final List<String> BINARY_UNITS =
      List.of("KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB");

  private NumberFilters() {}

  private static Value absolute(Value self, Arguments arguments) {
    arguments.bind("abs");
    return Arithmetic.absolute(self);
  }

  private static Value toInt(Run run, Value self, Arguments arguments) {
    Bound bound = arguments.bind("int", "default", "base");
    Value otherwise = bound.optional(0).orElse(new Int(0));
    int base = bound.integer(1, 10);
    if (self instanceof Text text) {
      run.budget().text(text.text().length());
      Optional<Whole> whole = Numbers.parseWhole(run, text.text(), base);
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

  private static Value fileSize(Run run, Value self, Arguments arguments) {
    boolean binary = arguments.bind("filesizeformat", "binary").truth(0, false);
    double bytes =
        Numbers.realOf(run, self)
            .orElseThrow(
                () -> Failure.runtime("filesizeformat needs a number, not " + Printer.brief(self)));
    int base = binary ? 1024 : 1000;
    if (bytes == 1) {
      return new Str("1 Byte");
    }
    if (bytes < base) {
      return new Str(Numbers.truncate(bytes).big() + " Bytes");
    }
    List<String> units = binary ? BINARY_UNITS : DECIMAL_UNITS;
    double unit = 0;
    for (int i = 0; i < units.size(); i++) {
      unit = BigInteger.valueOf(base).pow(i + 2).doubleValue();
      if (bytes < unit || i == units.size() - 1) {
        return new Str(
            FormatSpec.format(run, new Real(base * bytes / unit), ".1f") + " " + units.get(i));
      }
    }
    throw new IllegalStateException("the last unit takes any size");
  }
}
