package weft.net;

import java.util.List;
import java.util.Optional;
import weft.ir.Type;

/** What a checkpoint says of itself, in GGUF's key and tensor names whatever the file's format. */
public interface Meta {
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

  default int integer(String key) {
    return value(key).map(v -> toInteger(key, v)).orElseThrow(() -> missing(key));
  }

  default int integer(String key, int otherwise) {
    return value(key).map(v -> toInteger(key, v)).orElse(otherwise);
  }

  default double real(String key) {
    return value(key).map(v -> toReal(key, v)).orElseThrow(() -> missing(key));
  }

  default double real(String key, double otherwise) {
    return value(key).map(v -> toReal(key, v)).orElse(otherwise);
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
  default List<Double> numbers(String key) {
    return value(key)
        .map(
            v -> {
              if (v instanceof List<?> list && list.stream().allMatch(Number.class::isInstance)) {
                return list.stream().map(n -> ((Number) n).doubleValue()).toList();
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

  private int toInteger(String key, Object value) {
    if (value instanceof Number n && n.doubleValue() == n.intValue()) return n.intValue();
    throw wrong(key, value, "an integer");
  }

  private double toReal(String key, Object value) {
    if (value instanceof Number n) return n.doubleValue();
    throw wrong(key, value, "a number");
  }

  private ModelException missing(String key) {
    return new ModelException(
        "the checkpoint does not say " + spelling(key) + ", which this family cannot do without");
  }

  /** A value that no model of this family has. */
  default ModelException wrong(String key, Object value, String expected) {
    return new ModelException(spelling(key) + " is " + value + ", expected " + expected);
  }
}
