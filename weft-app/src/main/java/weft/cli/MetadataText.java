package weft.cli;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import weft.format.MetadataValue;
import weft.format.NumberArray;
import weft.format.ValueType;

/** A metadata value as text and as JSON; a vocabulary is not spelled out but counted. */
final class MetadataText {
  private static final int LONGEST_TEXT = 96;
  private static final int LONGEST_ARRAY = 32;
  private static final int SHOWN = 8;

  private MetadataText() {}

  static String text(MetadataValue value) {
    return switch (value) {
      case MetadataValue.Whole whole -> whole(whole);
      case MetadataValue.Real(var type, double real) ->
          type == ValueType.FLOAT32 ? Float.toString((float) real) : Double.toString(real);
      case MetadataValue.Flag(boolean flag) -> Boolean.toString(flag);
      case MetadataValue.Text(String text) -> shortened(text);
      case MetadataValue.Numbers(var array) ->
          value.typeName() + " " + listed(array.size(), i -> number(array, i).toString());
      case MetadataValue.Texts(var array) ->
          value.typeName() + " " + listed(array.size(), i -> shortened(array.string(i)));
      case MetadataValue.Nested _ -> value.typeName();
    };
  }

  private static String listed(int size, java.util.function.IntFunction<String> element) {
    return IntStream.range(0, Math.min(SHOWN, size))
        .mapToObj(element)
        .collect(Collectors.joining(", ", "[", size > SHOWN ? ", ...]" : "]"));
  }

  private static String shortened(String text) {
    var line = text.replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r");
    return line.length() <= LONGEST_TEXT ? line : line.substring(0, LONGEST_TEXT) + "...";
  }

  private static String whole(MetadataValue.Whole value) {
    return value.type() == ValueType.UINT64
        ? Long.toUnsignedString(value.value())
        : Long.toString(value.value());
  }

  private static Number number(NumberArray array, int index) {
    return switch (array.element()) {
      case FLOAT32 -> (float) array.real(index);
      case FLOAT64 -> array.real(index);
      case UINT8, INT8, UINT16, INT16, UINT32, INT32, UINT64, INT64, BOOL -> array.integer(index);
      case STRING, ARRAY -> throw new AssertionError("texts and arrays are no numbers");
    };
  }

  /** Arrays beyond a few dozen elements are given as their type alone. */
  static JsonNode json(MetadataValue value) {
    var nodes = JsonNodeFactory.instance;
    return switch (value) {
      case MetadataValue.Whole(var type, long whole) when type != ValueType.UINT64 || whole >= 0 ->
          nodes.numberNode(whole);
      case MetadataValue.Whole whole -> nodes.numberNode(new java.math.BigInteger(whole(whole)));
      case MetadataValue.Real(var type, double real) ->
          type == ValueType.FLOAT32 ? nodes.numberNode((float) real) : nodes.numberNode(real);
      case MetadataValue.Flag(boolean flag) -> nodes.booleanNode(flag);
      case MetadataValue.Text(String text) -> nodes.stringNode(text);
      case MetadataValue.Numbers(var array) when array.size() <= LONGEST_ARRAY -> {
        var out = Json.array();
        for (int i = 0; i < array.size(); i++) {
          switch (array.element()) {
            case BOOL -> out.add(array.integer(i) != 0);
            case FLOAT32 -> out.add((float) array.real(i));
            case FLOAT64 -> out.add(array.real(i));
            default -> out.add(array.integer(i));
          }
        }
        yield out;
      }
      case MetadataValue.Texts(var array) when array.size() <= LONGEST_ARRAY -> {
        var out = Json.array();
        array.strings().forEach(out::add);
        yield out;
      }
      case MetadataValue.Numbers _, MetadataValue.Texts _, MetadataValue.Nested _ ->
          nodes.stringNode(value.typeName());
    };
  }
}
