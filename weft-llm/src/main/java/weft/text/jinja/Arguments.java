package weft.text.jinja;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The evaluated arguments of one call. */
record Arguments(List<Value> positional, Map<String, Value> keywords) {
  static final Arguments NONE = new Arguments(List.of(), Map.of());

  /** These arguments in the order of {@code parameters}; too many, unknown or doubled ones fail. */
  Bound bind(String callee, String... parameters) {
    if (positional.size() > parameters.length) {
      throw Failure.runtime(
          "%s() takes at most %d arguments, got %d"
              .formatted(callee, parameters.length, positional.size()));
    }
    if (keywords.isEmpty()) {
      return new Bound(callee, parameters, positional, Map.of());
    }
    Map<String, Value> rest = new LinkedHashMap<>(keywords);
    for (int i = 0; i < parameters.length; i++) {
      if (i < positional.size() && rest.containsKey(parameters[i])) {
        throw Failure.runtime(
            "%s() got multiple values for argument '%s'".formatted(callee, parameters[i]));
      }
    }
    Map<String, Value> named = new LinkedHashMap<>();
    for (String parameter : parameters) {
      Optional.ofNullable(rest.remove(parameter)).ifPresent(value -> named.put(parameter, value));
    }
    if (!rest.isEmpty()) {
      String unknown = rest.keySet().iterator().next();
      throw Failure.runtime(
          "%s() got an unexpected keyword argument '%s'".formatted(callee, unknown));
    }
    return new Bound(callee, parameters, positional, named);
  }

  /** These arguments as positional ones only, as most methods of Python's own types take them. */
  Bound positionalOnly(String callee, String... parameters) {
    if (!keywords.isEmpty()) {
      throw Failure.runtime(callee + "() takes no keyword arguments");
    }
    return bind(callee, parameters);
  }

  /** These arguments without the first {@code count} positional ones. */
  Arguments skip(int count) {
    return new Arguments(positional.subList(count, positional.size()), keywords);
  }

  Arguments with(String keyword, Value value) {
    Map<String, Value> more = new LinkedHashMap<>(keywords);
    if (more.put(keyword, value) != null) {
      throw Failure.runtime("the call got multiple values for keyword argument '" + keyword + "'");
    }
    return new Arguments(positional, more);
  }

  /** Arguments matched to the parameters of a callee. */
  static final class Bound {
    private final String callee;
    private final String[] parameters;
    private final List<Value> positional;
    private final Map<String, Value> named;

    private Bound(
        String callee, String[] parameters, List<Value> positional, Map<String, Value> named) {
      this.callee = callee;
      this.parameters = parameters;
      this.positional = positional;
      this.named = named;
    }

    Optional<Value> optional(int index) {
      return index < positional.size()
          ? Optional.of(positional.get(index))
          : Optional.ofNullable(named.get(parameters[index]));
    }

    /** The argument unless it is absent or {@code None}. */
    Optional<Value> given(int index) {
      return optional(index).filter(value -> value != Value.None.NONE);
    }

    Value required(int index) {
      return optional(index)
          .orElseThrow(
              () ->
                  Failure.runtime(
                      "%s() missing required argument '%s'".formatted(callee, parameters[index])));
    }

    boolean truth(int index, boolean otherwise) {
      return optional(index).map(Value::truth).orElse(otherwise);
    }

    int integer(int index, int otherwise) {
      return optional(index).map(value -> Numbers.index(value)).orElse(otherwise);
    }

    int requiredInteger(int index) {
      return Numbers.index(required(index));
    }

    /** A required argument that has to be a string. */
    String text(int index) {
      return text(required(index), index);
    }

    String text(int index, String otherwise) {
      return optional(index).map(value -> text(value, index)).orElse(otherwise);
    }

    private String text(Value value, int index) {
      return switch (value) {
        case Value.Text text -> text.text();
        case Undefined undefined -> throw undefined.failure();
        default ->
            throw Failure.runtime(
                "%s() argument '%s' must be str, not %s"
                    .formatted(callee, parameters[index], value.typeName()));
      };
    }

    List<Value> all() {
      return new ArrayList<>(positional);
    }
  }
}
