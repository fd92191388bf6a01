package weft.text.jinja;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import weft.text.jinja.Arguments.Bound;
import weft.text.jinja.Value.Function;
import weft.text.jinja.Value.None;
import weft.text.jinja.Value.Range;

/** The functions that every template may call. */
final class Globals {
  /** The sandbox allows no longer ranges. */
  private static final int MAX_RANGE = 100_000;

  private static final int MAX_TIME_FORMAT = 1_000;

  private static final Map<String, Value> ALL =
      Map.of(
          "range", function("range", Globals::range),
          "dict", function("dict", (run, self, arguments) -> dict(run, "dict", arguments)),
          "namespace",
              function(
                  "namespace",
                  (run, self, arguments) -> new Namespace(dict(run, "namespace", arguments))),
          "raise_exception", function("raise_exception", Globals::raiseException),
          "strftime_now", function("strftime_now", Globals::strftimeNow));

  private Globals() {}

  private static Value function(String name, Builtin body) {
    return new Function(name, None.NONE, body);
  }

  static Optional<Value> find(String name) {
    return Optional.ofNullable(ALL.get(name));
  }

  private static Value range(Run run, Value self, Arguments arguments) {
    Bound bound = arguments.positionalOnly("range", "start", "stop", "step");
    List<Value> bounds = bound.all();
    if (bounds.isEmpty()) {
      throw Failure.runtime("range expected at least 1 argument, got 0");
    }
    long start = bounds.size() == 1 ? 0 : Numbers.index(bounds.get(0));
    long stop = Numbers.index(bounds.get(bounds.size() == 1 ? 0 : 1));
    long step = bounds.size() == 3 ? Numbers.index(bounds.get(2)) : 1;
    if (step == 0) {
      throw Failure.runtime("range() arg 3 must not be zero");
    }
    long span = step > 0 ? stop - start : start - stop;
    long size = span <= 0 ? 0 : (span - 1) / Math.abs(step) + 1;
    if (size > MAX_RANGE) {
      throw Failure.limit(
          "Range too big. The sandbox blocks ranges larger than MAX_RANGE (" + MAX_RANGE + ").");
    }
    return new Range(start, stop, step, (int) size);
  }

  private static Dict dict(Run run, String name, Arguments arguments) {
    if (arguments.positional().size() > 1) {
      throw Failure.runtime(
          name + " expected at most 1 argument, got " + arguments.positional().size());
    }
    Dict dict = new Dict(run);
    for (Value source : arguments.positional()) {
      if (source instanceof Undefined undefined) {
        throw undefined.failure();
      }
      if (source instanceof Dict other) {
        dict.putAll(other);
      } else {
        putPairs(run, dict, source);
      }
    }
    arguments.keywords().forEach(dict::put);
    return dict;
  }

  private static void putPairs(Run run, Dict dict, Value source) {
    for (Iterator<Value> pairs = Iteration.iterate(source); pairs.hasNext(); ) {
      List<Value> pair = Iteration.list(run, pairs.next());
      if (pair.size() != 2) {
        throw Failure.runtime(
            "dictionary update sequence element has length " + pair.size() + "; 2 is required");
      }
      dict.put(pair.get(0), pair.get(1));
    }
  }

  private static Value raiseException(Run run, Value self, Arguments arguments) {
    throw Failure.raised(
        Printer.str(run, arguments.bind("raise_exception", "message").required(0)));
  }

  private static Value strftimeNow(Run run, Value self, Arguments arguments) {
    String format = arguments.bind("strftime_now", "format").text(0);
    if (format.length() > MAX_TIME_FORMAT) {
      throw Failure.limit(
          "strftime_now takes a format of up to " + MAX_TIME_FORMAT + " characters");
    }
    run.budget().text(8L * format.length());
    run.budget().steps(4L * format.length());
    return Value.text(Strftime.format(run.now(), format));
  }
}
