package weft.text.jinja;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The arguments of a call as written; {@code *} and {@code **} arguments are lists of at most one.
 */
record Actuals(
    List<Expression> positional,
    Map<String, Expression> keywords,
    List<Expression> star,
    List<Expression> doubleStar) {
  static final Actuals NONE = new Actuals(List.of(), Map.of(), List.of(), List.of());

  Arguments eval(Frame frame) {
    if (positional.isEmpty() && keywords.isEmpty() && star.isEmpty() && doubleStar.isEmpty()) {
      return Arguments.NONE;
    }
    Items values = new Items(frame.run());
    for (Expression expression : positional) {
      values.add(expression.eval(frame));
    }
    for (Expression expression : star) {
      values.addAll(Iteration.list(frame.run(), expression.eval(frame)));
    }
    frame.run().budget().items(keywords.size());
    Map<String, Value> named =
        keywords.isEmpty() && doubleStar.isEmpty() ? Map.of() : new LinkedHashMap<>();
    for (Map.Entry<String, Expression> keyword : keywords.entrySet()) {
      named.put(keyword.getKey(), keyword.getValue().eval(frame));
    }
    for (Expression expression : doubleStar) {
      spread(frame, expression.eval(frame), named);
    }
    return new Arguments(values.list(), named);
  }

  private static void spread(Frame frame, Value mapping, Map<String, Value> named) {
    if (!(mapping instanceof Dict dict)) {
      throw Failure.runtime("argument after ** must be a mapping, not " + mapping.typeName());
    }
    frame.run().budget().items(dict.size());
    for (Dict.Entry entry : dict.entries()) {
      if (!(entry.key() instanceof Value.Text key)) {
        throw Failure.runtime("keywords must be strings");
      }
      if (named.put(key.text(), entry.value()) != null) {
        throw Failure.runtime("got multiple values for keyword argument '" + key.text() + "'");
      }
    }
  }

  List<Expression> children() {
    return Stream.of(positional, keywords.values(), star, doubleStar)
        .<Expression>flatMap(java.util.Collection::stream)
        .toList();
  }
}
