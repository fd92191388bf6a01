package weft.text.jinja;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import weft.text.jinja.Value.Bool;
import weft.text.jinja.Value.Int;
import weft.text.jinja.Value.Listing;
import weft.text.jinja.Value.None;
import weft.text.jinja.Value.Real;

/**
 * Turns what callers pass, plain Java data or JSON trees, into template values, and measures it.
 */
final class Values {
  /** JSON from outside nests no deeper than its parser allows; data built in Java might. */
  private static final int MAX_DEPTH = 500;

  private static final int BYTES_A_CHARACTER = 2;
  private static final int BYTES_A_VALUE = 32;

  private long bytes;

  /** The memory that all values converted so far take, roughly. */
  long bytes() {
    return bytes;
  }

  Value of(@Nullable Object object) {
    return of(object, 0);
  }

  private Value of(@Nullable Object object, int depth) {
    if (depth > MAX_DEPTH) {
      throw Failure.limit("the template's variables nest more than " + MAX_DEPTH + " levels deep");
    }
    bytes += BYTES_A_VALUE;
    return switch (object) {
      case null -> None.NONE;
      case Value value -> value;
      case JsonNode node -> json(node, depth);
      case String text -> text(text);
      case Boolean bool -> Bool.of(bool);
      case Integer number -> new Int(number);
      case Long number -> new Int(number);
      case Short number -> new Int(number);
      case Byte number -> new Int(number);
      case BigInteger number -> Value.number(number);
      case Double number -> new Real(number);
      case Float number -> new Real(number);
      case BigDecimal number -> new Real(number.doubleValue());
      case Map<?, ?> map -> dict(map, depth);
      case Collection<?> items -> listing(items, depth);
      default ->
          throw new IllegalArgumentException(
              "a template variable is a "
                  + object.getClass().getName()
                  + "; pass text, numbers, booleans, null, maps,"
                  + " collections or JSON trees");
    };
  }

  private Value text(String text) {
    bytes += (long) BYTES_A_CHARACTER * text.length();
    return Value.text(text);
  }

  private Dict dict(Map<?, ?> map, int depth) {
    Dict dict = Dict.given();
    map.forEach((key, value) -> dict.put(of(key, depth + 1), of(value, depth + 1)));
    return dict;
  }

  private Listing listing(Iterable<?> items, int depth) {
    List<Value> values = new ArrayList<>();
    items.forEach(item -> values.add(of(item, depth + 1)));
    return new Listing(values);
  }

  private Value json(JsonNode node, int depth) {
    return switch (node.getNodeType()) {
      case STRING -> text(node.stringValue());
      case BOOLEAN -> Bool.of(node.booleanValue());
      case NULL, MISSING -> None.NONE;
      case NUMBER ->
          node.isIntegralNumber()
              ? Value.number(node.bigIntegerValue())
              : new Real(node.doubleValue());
      case ARRAY -> listing(node.values(), depth);
      case OBJECT -> {
        Dict dict = Dict.given();
        node.properties()
            .forEach(entry -> dict.put(text(entry.getKey()), of(entry.getValue(), depth + 1)));
        yield dict;
      }
      case BINARY, POJO ->
          throw new IllegalArgumentException(
              "a template variable is a JSON node of type " + node.getNodeType());
    };
  }
}
