package weft.text.jinja;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import weft.text.jinja.Value.None;
import weft.text.jinja.Value.Tuple;

/** A macro, or the body of a call block: a template function that gives what it writes. */
record Macro(Definition definition, Frame closure) implements Value.Callable {

  /**
   * A macro as written. The last parameters have {@code defaults}; {@code special} are those of
   * caller, kwargs and varargs that the body uses; a call takes about {@code depth} levels of
   * nesting.
   */
  record Definition(
      String name,
      List<Target.Variable> parameters,
      List<Expression> defaults,
      List<String> special,
      List<Statement> body,
      Scope scope,
      int depth) {

    static final String ANONYMOUS = "";

    List<Node> children() {
      return Stream.of(parameters, defaults, body).<Node>flatMap(List::stream).toList();
    }

    List<String> names() {
      return parameters.stream().map(Target.Variable::name).toList();
    }
  }

  @Override
  public Value call(Run run, Arguments arguments) {
    Frame frame = closure.inner();
    Map<String, Value> keywords = new LinkedHashMap<>(arguments.keywords());
    List<Target.Variable> parameters = definition.parameters();
    List<Value> positional = arguments.positional();
    boolean[] given = new boolean[parameters.size()];
    for (int i = 0; i < parameters.size(); i++) {
      String name = parameters.get(i).name();
      Value value = i < positional.size() ? positional.get(i) : keywords.remove(name);
      given[i] = value != null;
      frame.define(name, given[i] ? value : Undefined.named(name));
    }
    defineSpecial(frame, keywords, positional);
    run.budget().enter(definition.depth());
    try {
      definition.scope().start(frame);
      defineDefaults(frame, given);
      StringBuilder outer = run.capture();
      Statement.execAll(definition.body(), frame);
      return Value.text(run.release(outer));
    } finally {
      run.budget().leave(definition.depth());
    }
  }

  private void defineSpecial(Frame frame, Map<String, Value> keywords, List<Value> positional) {
    List<String> special = definition.special();
    if (special.contains("caller") && !definition.names().contains("caller")) {
      Value caller = keywords.remove("caller");
      frame.define(
          "caller",
          caller == null || caller == None.NONE ? Undefined.because("No caller defined") : caller);
    }
    if (special.contains("kwargs")) {
      Dict rest = new Dict(frame.run());
      keywords.forEach(rest::put);
      frame.define("kwargs", rest);
    } else if (!keywords.isEmpty()) {
      throw Failure.runtime(
          "macro '%s' takes no keyword argument '%s'"
              .formatted(definition.name(), keywords.keySet().iterator().next()));
    }
    int count = definition.parameters().size();
    if (special.contains("varargs")) {
      frame.define(
          "varargs",
          new Tuple(positional.subList(Math.min(count, positional.size()), positional.size())));
    } else if (positional.size() > count) {
      throw Failure.runtime(
          "macro '%s' takes not more than %d argument(s)".formatted(definition.name(), count));
    }
  }

  private void defineDefaults(Frame frame, boolean[] given) {
    int withoutDefault = given.length - definition.defaults().size();
    for (int i = 0; i < given.length; i++) {
      if (!given[i]) {
        String name = definition.parameters().get(i).name();
        frame.define(
            name,
            i < withoutDefault
                ? Undefined.because("parameter '" + name + "' was not provided")
                : definition.defaults().get(i - withoutDefault).eval(frame));
      }
    }
  }

  Optional<Value> attribute(String name) {
    return switch (name) {
      case "name" ->
          Optional.of(definition.name().isEmpty() ? None.NONE : Value.text(definition.name()));
      case "arguments" ->
          Optional.of(new Tuple(definition.names().stream().<Value>map(Value::text).toList()));
      case "caller" -> Optional.of(Value.bool(definition.special().contains("caller")));
      case "catch_kwargs" -> Optional.of(Value.bool(definition.special().contains("kwargs")));
      case "catch_varargs" -> Optional.of(Value.bool(definition.special().contains("varargs")));
      default -> Optional.empty();
    };
  }

  String label() {
    return definition.name().isEmpty() ? "anonymous" : Printer.brief(definition.name());
  }

  @Override
  public String typeName() {
    return "Macro";
  }

  /** Macros are equal only to themselves. */
  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
