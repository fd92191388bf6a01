package weft.net;

import java.util.List;
import java.util.Optional;
import weft.ir.Type;

/** What a checkpoint says of itself, in GGUF's key and tensor names whatever the file's format. */
public interface Meta {
  /** What a name begins with that means the first rows of a tensor. */
  String FIRST = "first.";

  /** What a message shows of a value. */
  int LONGEST_SHOWN = 100;

  /** The name of the first rows of a tensor; such a tensor is there wherever the whole one is. */
  static String first(int rows, String tensor) {
    return FIRST + rows + "." + tensor;
  }

  /** What a name begins with that means a tensor with its axes but the first made one. */
  String FLAT = "flat.";

  /** What a name begins with that means a tensor with its two axes exchanged. */
  String TURNED = "turned.";

  /** The name of a tensor with its axes but the first made one. */
  static String flat(String tensor) {
    return FLAT + tensor;
  }

  /** The name of a tensor with its two axes exchanged. */
  static String turned(String tensor) {
    return TURNED + tensor;
  }

  /** The value of a key, of whatever type it has in the file. */
  Optional<Object> value(String key);

  /** What the file calls this key, for messages. */
  String spelling(String key);

  /** What the file calls this tensor, or would if it had it. */
  String tensorSpelling(String tensor);

  /** Whose habits the tensors follow. */
  Convention convention();

  boolean has(String tensor);

  /** The shape of a tensor; an absent one is a {@link ModelException} that names it. */
  Type weight(String tensor);

  /** How two programs write down the same mathematics; a family says where it matters. */
  enum Convention {
    /**
     * As its converter rewrites them: norm weights hold all of the factor, rope pairs may be
     * neighbours, decay is {@code -exp}ed.
     */
    GGUF,
    /** Tensors as they were trained. */
    TRANSFORMERS
  }

  /** A whole number; there is no way to read one that says nothing of its range. */
  default int integer(String key, Range range) {
    return toInteger(key, value(key).orElseThrow(() -> missing(key)), range);
  }

  /** The same, or {@code otherwise} where the key is absent, which must be in the range too. */
  default int integer(String key, Range range, int otherwise) {
    return toInteger(key, value(key).orElse(otherwise), range);
  }

  default double real(String key, Range range) {
    return toReal(key, value(key).orElseThrow(() -> missing(key)), range);
  }

  default double real(String key, Range range, double otherwise) {
    return toReal(key, value(key).orElse(otherwise), range);
  }

  default boolean flag(String key, boolean otherwise) {
    return value(key)
        .map(
            v -> {
              if (v instanceof Boolean b) return b;
              throw wrong(key, v, "true or false");
            })
        .orElse(otherwise);
  }

  default String text(String key, String otherwise) {
    return value(key)
        .map(
            v -> {
              if (v instanceof String s) return s;
              throw wrong(key, v, "a text");
            })
        .orElse(otherwise);
  }

  /** A list of numbers, empty when the key is absent. */
  default List<Double> numbers(String key, Range range) {
    return value(key)
        .map(
            v -> {
              if (v instanceof List<?> list) {
                return list.stream().map(n -> toReal(key, n, range)).toList();
              }
              throw wrong(key, v, "a list of numbers");
            })
        .orElse(List.of());
  }

  /** A list of texts, empty when the key is absent. */
  default List<String> texts(String key) {
    return value(key)
        .map(
            v -> {
              if (v instanceof List<?> list && list.stream().allMatch(String.class::isInstance)) {
                return list.stream().map(String.class::cast).toList();
              }
              throw wrong(key, v, "a list of texts");
            })
        .orElse(List.of());
  }

  private int toInteger(String key, Object value, Range range) {
    if (value instanceof Number n
        && n.doubleValue() == n.intValue()
        && range.holds(n.doubleValue())) {
      return n.intValue();
    }
    throw wrong(key, value, "a whole number from " + range);
  }

  private double toReal(String key, Object value, Range range) {
    // Minus zero is zero: that is what "none" is compared with, and not always as a number.
    if (value instanceof Number n && range.holds(n.doubleValue())) return n.doubleValue() + 0.0;
    throw wrong(key, value, "a number from " + range);
  }

  private ModelException missing(String key) {
    return new ModelException(
        "the checkpoint does not say " + spelling(key) + ", which this family cannot do without");
  }

  /** A value that no model of this family has. */
  default ModelException wrong(String key, Object value, String expected) {
    var met = String.valueOf(value);
    var shown = met.length() > LONGEST_SHOWN ? met.substring(0, LONGEST_SHOWN) + "..." : met;
    return new ModelException(spelling(key) + " is " + shown + ", expected " + expected);
  }
}
