package weft.chat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Calls as lines of Python in a fence, as Gemma's documentation has them. */
final class CodeCalls implements CallSyntax {
  private static final String FENCE = "```tool_code";
  private static final String END = "```";
  private static final String PRINT = "print(";
  private static final int DEEPEST = 32;

  /** A value of any kind, as None is one. */
  private record Value(@Nullable Object value) {}

  @Override
  public List<Mark> marks() {
    return List.of(new Mark(FENCE, true));
  }

  @Override
  public CallHead begin(TextScanner text, Map<String, Tool> tools) {
    return text.take(FENCE) ? statement(text, tools) : CallHead.none(text);
  }

  @Override
  public CallHead next(TextScanner text, Map<String, Tool> tools) {
    return statement(text, tools);
  }

  private static CallHead statement(TextScanner text, Map<String, Tool> tools) {
    text.white();
    boolean isPrinted = text.take(PRINT);
    var name = text.name();
    if (name.isEmpty() || !text.take("(")) return CallHead.none(text);
    var tool = tools.get(name.get());
    if (tool == null) return new CallHead.NoCall();
    var arguments = arguments(text, tool);
    if (arguments.isEmpty() || isPrinted && !text.takeBehindWhite(")")) return CallHead.none(text);
    var json = JsonValues.text(arguments.get());
    return new CallHead.Begins(text.at(), "", tool.name(), JsonBody.ready(json, List.of(END)));
  }

  private static Optional<Map<String, @Nullable Object>> arguments(TextScanner text, Tool tool) {
    var names = new ArrayList<String>();
    if (tool.parameters().get("properties") instanceof Map<?, ?> properties) {
      properties.keySet().forEach(name -> names.add(String.valueOf(name)));
    }
    var arguments = new LinkedHashMap<String, @Nullable Object>();
    while (!text.takeBehindWhite(")")) {
      if (!arguments.isEmpty() && !text.takeBehindWhite(",")) return Optional.empty();
      if (text.takeBehindWhite(")")) break;
      if (!text.white()) return Optional.empty();
      int start = text.at();
      var name = text.name();
      if (name.isEmpty() || !text.takeBehindWhite("=")) {
        if (!text.has() || arguments.size() >= names.size()) return Optional.empty();
        text.to(start);
        name = Optional.of(names.get(arguments.size())); // by its place
      }
      var value = value(text, 0);
      if (value.isEmpty()) return Optional.empty();
      arguments.put(name.get(), value.get().value());
    }
    return Optional.of(arguments);
  }

  private static Optional<Value> value(TextScanner text, int depth) {
    if (!text.white() || depth > DEEPEST) return Optional.empty();
    if (text.isAt('"') || text.isAt('\'')) return text.quoted().map(Value::new);
    if (text.take("[")) return list(text, depth);
    if (text.take("{")) return dictionary(text, depth);
    int start = text.at();
    if (!text.value()) return Optional.empty();
    var json = ParameterType.ANY.json(text.from(start));
    return JsonValues.scalar(json).map(Value::new).or(() -> Optional.of(new Value(null)));
  }

  private static Optional<Value> list(TextScanner text, int depth) {
    var items = new ArrayList<@Nullable Object>();
    while (!text.takeBehindWhite("]")) {
      if (!items.isEmpty() && !text.takeBehindWhite(",")) return Optional.empty();
      var item = value(text, depth + 1);
      if (item.isEmpty()) return Optional.empty();
      items.add(item.get().value());
    }
    return Optional.of(new Value(items));
  }

  private static Optional<Value> dictionary(TextScanner text, int depth) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    while (!text.takeBehindWhite("}")) {
      if (!fields.isEmpty() && !text.takeBehindWhite(",")) return Optional.empty();
      if (!text.white()) return Optional.empty();
      var name = text.quoted();
      if (name.isEmpty() || !text.takeBehindWhite(":")) return Optional.empty();
      var value = value(text, depth + 1);
      if (value.isEmpty()) return Optional.empty();
      fields.put(name.get(), value.get().value());
    }
    return Optional.of(new Value(fields));
  }
}
