package weft.format;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SequencedMap;
import java.util.function.Supplier;

/**
 * What a checkpoint says about itself, by key; it outlives the checkpoint.
 *
 * <p>An absent key is empty. A key that is there with another type is a {@link FormatException}
 * that names the key, the type met and the type wanted. Safe for all threads.
 */
public final class Metadata {
  private final String source;
  private final SequencedMap<String, MetadataValue> values;

  /** Metadata from {@code source}, a path or a name that messages begin with. */
  public Metadata(String source, Map<String, MetadataValue> values) {
    this.source = source;
    this.values = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(values));
  }

  /** Where this comes from, for messages. */
  String source() {
    return source;
  }

  /** All entries in file order. */
  public SequencedMap<String, MetadataValue> entries() {
    return values;
  }

  /**
   * Lets the memory of long arrays go where it is the file's own; they are as readable as before,
   * from the file again.
   */
  public void unload() {
    values.values().forEach(MetadataValue::unload);
  }

  public boolean has(String key) {
    return values.containsKey(key);
  }

  public Optional<MetadataValue> value(String key) {
    return Optional.ofNullable(values.get(key));
  }

  public Optional<String> string(String key) {
    return value(key)
        .map(
            value ->
                switch (value) {
                  case MetadataValue.Text(var text) -> text;
                  default -> throw unexpected(key, value, "a STRING");
                });
  }

  public OptionalLong integer(String key) {
    return value(key)
        .map(
            value ->
                switch (value) {
                  case MetadataValue.Whole(var type, var number) when fits(type, number) ->
                      OptionalLong.of(number);
                  default -> throw unexpected(key, value, "a whole number up to 2^63 - 1");
                })
        .orElse(OptionalLong.empty());
  }

  /** A whole number that is a size or a count: from 0 to 2^31 - 1. */
  public OptionalInt count(String key) {
    var number = integer(key);
    if (number.isEmpty()) {
      return OptionalInt.empty();
    }
    long count = number.getAsLong();
    if (count < 0 || count > Integer.MAX_VALUE) {
      throw new FormatException(
          "%s: metadata key %s is %d, expected 0 to 2^31 - 1"
              .formatted(source, Quoted.text(key), count));
    }
    return OptionalInt.of((int) count);
  }

  /** A floating-point number; whole numbers count as such too. */
  public OptionalDouble real(String key) {
    return value(key)
        .map(
            value ->
                switch (value) {
                  case MetadataValue.Real(_, var number) -> OptionalDouble.of(number);
                  case MetadataValue.Whole(var type, var number) when fits(type, number) ->
                      OptionalDouble.of(number);
                  default -> throw unexpected(key, value, "a number");
                })
        .orElse(OptionalDouble.empty());
  }

  public Optional<Boolean> bool(String key) {
    return value(key)
        .map(
            value ->
                switch (value) {
                  case MetadataValue.Flag(var flag) -> flag;
                  default -> throw unexpected(key, value, "a BOOL");
                });
  }

  public Optional<long[]> integers(String key) {
    return wholeNumbers(key).map(NumberArray::integers);
  }

  /** An array of whole numbers as it is, for those that are long. */
  public Optional<NumberArray> wholeNumbers(String key) {
    return value(key)
        .map(
            value ->
                switch (value) {
                  case MetadataValue.Numbers(var array) when fits(array) -> array;
                  default ->
                      throw unexpected(key, value, "an array of whole numbers up to 2^63 - 1");
                });
  }

  public Optional<float[]> reals(String key) {
    return value(key)
        .map(
            value ->
                switch (value) {
                  case MetadataValue.Numbers(var array) when array.element() != ValueType.BOOL ->
                      array.reals();
                  default -> throw unexpected(key, value, "an array of numbers");
                });
  }

  public Optional<boolean[]> bools(String key) {
    return value(key)
        .map(
            value ->
                switch (value) {
                  case MetadataValue.Numbers(var array)
                      when array.element() == ValueType.BOOL || array.size() == 0 ->
                      flags(array);
                  default -> throw unexpected(key, value, "an array of BOOL");
                });
  }

  /** An array of texts that can also give the bytes of each. */
  public Optional<TextArray> texts(String key) {
    return value(key)
        .map(
            value ->
                switch (value) {
                  case MetadataValue.Texts(var array) -> array;
                  case MetadataValue.Numbers(var array) when array.size() == 0 ->
                      TextArray.of(List.of());
                  default -> throw unexpected(key, value, "an array of STRING");
                });
  }

  public Optional<List<String>> strings(String key) {
    return texts(key).map(TextArray::strings);
  }

  /** For {@code orElseThrow}: the error of a key that a model cannot do without. */
  public Supplier<FormatException> absent(String key) {
    return () ->
        new FormatException(
            source + ": no metadata key " + Quoted.text(key) + ", which this model needs");
  }

  private static boolean[] flags(NumberArray array) {
    var flags = new boolean[array.size()];
    for (int i = 0; i < flags.length; i++) {
      flags[i] = array.integer(i) != 0;
    }
    return flags;
  }

  private static boolean fits(NumberArray array) {
    return switch (array.element()) {
      case UINT8, INT8, UINT16, INT16, UINT32, INT32, INT64 -> true;
      case UINT64 -> Arrays.stream(array.integers()).allMatch(number -> number >= 0);
      case FLOAT32, FLOAT64, BOOL, STRING, ARRAY -> array.size() == 0;
    };
  }

  private static boolean fits(ValueType type, long number) {
    return type != ValueType.UINT64 || number >= 0;
  }

  private FormatException unexpected(String key, MetadataValue met, String wanted) {
    String value =
        switch (met) {
          case MetadataValue.Whole(var type, var number) ->
              " "
                  + (type == ValueType.UINT64
                      ? Long.toUnsignedString(number)
                      : Long.toString(number));
          case MetadataValue.Real(_, var number) -> " " + number;
          case MetadataValue.Flag(var flag) -> " " + flag;
          case MetadataValue.Text(var text) -> " " + Quoted.text(text);
          case MetadataValue.Numbers _, MetadataValue.Texts _, MetadataValue.Nested _ -> "";
        };
    return new FormatException(
        "%s: metadata key %s is %s%s, expected %s"
            .formatted(source, Quoted.text(key), met.typeName(), value, wanted));
  }
}
