package weft.serve.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeType;
import tools.jackson.databind.node.ObjectNode;
import weft.serve.ask.Problem;
import weft.serve.ask.ProblemException;

/**
 * The fields of an object that a client sent, read within ranges; what is not as it may be is a
 * problem that names the field, what was met and what is allowed. A field that is null is absent.
 */
public final class Fields {
  private final JsonNode node;
  private final String path;
  private final Reading reading;

  private Fields(JsonNode node, String path, Reading reading) {
    this.node = node;
    this.path = path;
    this.reading = reading;
  }

  /** The body of a request. */
  public static Fields of(JsonNode body) {
    return of(body, Reading.NOBODY);
  }

  /** The body of a request, and who hears what is read of it. */
  static Fields of(JsonNode body, Reading reading) {
    if (!body.isObject()) {
      throw new ProblemException(new Problem.BadBody("must be a JSON object, got " + kind(body)));
    }
    return new Fields(body, "", reading);
  }

  /** An object within another, by its path from the body. */
  public static Fields of(JsonNode object, String path) {
    return of(object, path, Reading.NOBODY);
  }

  private static Fields of(JsonNode object, String path, Reading reading) {
    if (!object.isObject()) throw bad(path, kind(object), "an object");
    return new Fields(object, path, reading);
  }

  /** The object itself. */
  public JsonNode node() {
    return node;
  }

  /** Where it lies in the body; empty for the body. */
  public String path() {
    return path;
  }

  /** The path of one of its fields. */
  public String path(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  public boolean has(String name) {
    return given(name).isPresent();
  }

  private Optional<JsonNode> given(String name) {
    return Optional.ofNullable(node.get(name)).filter(value -> !value.isNull());
  }

  private Optional<JsonNode> given(String name, Supplier<ObjectNode> schema) {
    reading.field(path(name), schema);
    return given(name);
  }

  /** A field as it is. */
  public Optional<JsonNode> field(String name) {
    return given(name, Json::object);
  }

  /** A field that must be there. */
  public JsonNode required(String name, String allowed) {
    reading.field(path(name), () -> Json.object().put("description", allowed));
    return given(name).orElseThrow(() -> bad(path(name), "nothing", allowed));
  }

  private static ObjectNode typed(String type) {
    return Json.object().put("type", type);
  }

  private static ObjectNode integer(long least, long most) {
    var schema = typed("integer");
    if (least > Long.MIN_VALUE) schema.put("minimum", least);
    if (most < Integer.MAX_VALUE) schema.put("maximum", most);
    return schema;
  }

  public Optional<String> text(String name) {
    return given(name, () -> typed("string"))
        .map(
            value -> {
              if (!value.isString()) throw wrong(name, value, "a string");
              return value.stringValue();
            });
  }

  /** One of several words. */
  public Optional<String> word(String name, List<String> allowed) {
    reading.field(
        path(name),
        () -> {
          var schema = typed("string");
          allowed.forEach(schema.putArray("enum")::add);
          return schema;
        });
    return text(name)
        .map(
            value -> {
              if (!allowed.contains(value)) {
                throw bad(path(name), quoted(value), "one of " + allowed);
              }
              return value;
            });
  }

  public Optional<Boolean> flag(String name) {
    return given(name, () -> typed("boolean"))
        .map(
            value -> {
              if (!value.isBoolean()) throw wrong(name, value, "true or false");
              return value.booleanValue();
            });
  }

  /** A number of any kind, both ends allowed. */
  public OptionalDouble number(String name, double least, double most) {
    var value = given(name, () -> typed("number").put("minimum", least).put("maximum", most));
    if (value.isEmpty()) return OptionalDouble.empty();
    var allowed = "a number from %s to %s".formatted(plain(least), plain(most));
    if (!value.get().isNumber()) throw wrong(name, value.get(), allowed);
    double met = value.get().doubleValue();
    if (!(met >= least && met <= most)) throw wrong(name, value.get(), allowed);
    return OptionalDouble.of(met);
  }

  /** A whole number, both ends allowed. */
  public OptionalInt whole(String name, int least, int most) {
    var value = large(name, least, most);
    return value.isPresent() ? OptionalInt.of((int) value.getAsLong()) : OptionalInt.empty();
  }

  /** As {@link #whole}, where there may be more. */
  public OptionalLong large(String name, long least, long most) {
    var value = given(name, () -> integer(least, most));
    if (value.isEmpty()) return OptionalLong.empty();
    return OptionalLong.of(large(path(name), value.get(), least, most));
  }

  private static long large(String path, JsonNode value, long least, long most) {
    var allowed =
        most == Integer.MAX_VALUE || most == Long.MAX_VALUE
            ? "a whole number of at least " + least
            : "a whole number from %d to %d".formatted(least, most);
    // Some clients write 5.0 for 5.
    if (!value.isNumber()) throw bad(path, met(value), allowed);
    if (!value.isIntegralNumber() && value.doubleValue() != Math.rint(value.doubleValue())) {
      throw bad(path, met(value), allowed);
    }
    if (!value.canConvertToLong()) throw bad(path, met(value), allowed);
    long met = value.longValue();
    if (met < least || met > most) throw bad(path, met(value), allowed);
    return met;
  }

  public Optional<Fields> object(String name) {
    return given(name, () -> typed("object")).map(value -> of(value, path(name), reading));
  }

  /** The items of a list; none where it is absent. */
  public List<JsonNode> list(String name, int most) {
    var value = given(name, () -> typed("array").put("maxItems", most));
    if (value.isEmpty()) return List.of();
    if (!value.get().isArray()) throw wrong(name, value.get(), "a list");
    requireAtMost(name, value.get(), most);
    return List.copyOf(value.get().values());
  }

  /** The objects of a list; none where it is absent. */
  public List<Fields> objects(String name, int most) {
    var items = list(name, most);
    var objects = new ArrayList<Fields>(items.size());
    for (int i = 0; i < items.size(); i++) {
      objects.add(of(items.get(i), path(name) + "[" + i + "]", reading));
    }
    return objects;
  }

  /** A text, or a list of them; none where it is absent. */
  public List<String> texts(String name, int most) {
    var value =
        given(
            name,
            () -> {
              var schema = Json.object();
              var either = schema.putArray("anyOf").add(typed("string"));
              either.add(typed("array").put("maxItems", most).set("items", typed("string")));
              return schema;
            });
    if (value.isEmpty()) return List.of();
    if (value.get().isString()) return List.of(value.get().stringValue());
    var allowed = "a string, or a list of at most " + most;
    if (!value.get().isArray()) throw wrong(name, value.get(), allowed);
    requireAtMost(name, value.get(), most);
    var texts = new ArrayList<String>();
    for (var item : value.get().values()) {
      if (!item.isString()) throw wrong(name, item, allowed);
      texts.add(item.stringValue());
    }
    return texts;
  }

  /** A list of whole numbers that must be there. */
  public int[] wholes(String name, int least, int most, int longest) {
    reading.field(
        path(name), () -> typed("array").put("maxItems", longest).set("items", typed("integer")));
    var value = required(name, "a list of whole numbers");
    if (!value.isArray()) throw wrong(name, value, "a list of whole numbers");
    requireAtMost(name, value, longest);
    return wholes(path(name), value, least, most);
  }

  /** The whole numbers of a list. */
  public static int[] wholes(String path, JsonNode list, int least, int most) {
    var numbers = new int[list.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = (int) large(path + "[" + i + "]", list.get(i), least, most);
    }
    return numbers;
  }

  /** A value that is a whole number. */
  public static int whole(String path, JsonNode value, int least, int most) {
    return (int) large(path, value, least, most);
  }

  private void requireAtMost(String name, JsonNode list, int most) {
    if (list.size() > most) {
      throw bad(path(name), "a list of " + list.size(), "a list of at most " + most);
    }
  }

  /** A field that would change what the answer means, and that cannot be kept. */
  public ProblemException unsupported(String name, String why) {
    return new ProblemException(new Problem.Unsupported(path(name), why));
  }

  /** A field that is not as it may be. */
  public ProblemException wrong(String name, JsonNode met, String allowed) {
    return bad(path(name), met(met), allowed);
  }

  /** As {@link #wrong}, by a whole path. */
  public static ProblemException bad(String path, String met, String allowed) {
    return new ProblemException(new Problem.BadField(path, met, allowed));
  }

  /** A value as a message shows it: short, and never a whole text of the client's. */
  public static String met(JsonNode value) {
    if (value.isNumber()) {
      var text = value.asString();
      return text.length() <= 24 ? text : text.substring(0, 24) + "...";
    }
    return value.isBoolean() ? value.asString() : kind(value);
  }

  /** A word that a client gave where there are few, as a message shows it. */
  public static String quoted(String text) {
    return "'" + (text.length() <= 40 ? text : text.substring(0, 40) + "...") + "'";
  }

  private static String plain(double bound) {
    return bound == Math.rint(bound) ? Long.toString((long) bound) : Double.toString(bound);
  }

  private static String kind(JsonNode value) {
    return switch (value.getNodeType()) {
      case JsonNodeType.ARRAY -> "a list";
      case JsonNodeType.OBJECT -> "an object";
      case JsonNodeType.STRING -> value.stringValue().isEmpty() ? "an empty string" : "a string";
      case JsonNodeType.NUMBER -> "a number";
      case JsonNodeType.BOOLEAN -> "a boolean";
      case JsonNodeType.NULL -> "null";
      case JsonNodeType.MISSING, JsonNodeType.BINARY, JsonNodeType.POJO -> "nothing";
    };
  }
}
