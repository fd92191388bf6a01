package weft.format;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;

/**
 * Flattens a JSON configuration into metadata: objects with dots, arrays of one type as arrays,
 * other arrays by index; {@code null} is absent.
 */
final class JsonMetadata {
  private static final int LONGEST_FILE = 8 << 20;
  private static final int MOST_KEYS = 1 << 16;
  // A long prefix, repeated before each of many leaves, would take far more memory than the file.
  private static final int LONGEST_KEY = 1024;

  private final JsonReader reader;
  private final Map<String, MetadataValue> target;

  private JsonMetadata(JsonReader reader, Map<String, MetadataValue> target) {
    this.reader = reader;
    this.target = target;
  }

  /** Adds all of a JSON file to {@code target}, each key after {@code prefix}. */
  static void add(Path path, String prefix, Map<String, MetadataValue> target) {
    add(path, MappedFile.copy(path, LONGEST_FILE), prefix, target);
  }

  /** Adds a JSON text to {@code target}; {@code name} is what messages begin with. */
  static void addText(Path name, String json, Map<String, MetadataValue> target) {
    var bytes = json.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > LONGEST_FILE) {
      throw new FormatException(
          "%s has %d bytes, expected at most %d".formatted(name, bytes.length, LONGEST_FILE));
    }
    add(name, bytes, "", target);
  }

  private static void add(
      Path path, byte[] json, String prefix, Map<String, MetadataValue> target) {
    JsonReader.object(
        path,
        "configuration",
        json,
        (reader, name) -> new JsonMetadata(reader, target).field(prefix + name));
  }

  private void field(String key) {
    value(key).ifPresent(value -> put(key, value));
  }

  /** The value if it is one for {@code key}; what has keys of its own is put under those. */
  private Optional<MetadataValue> value(String key) {
    return switch (reader.token()) {
      case VALUE_STRING -> Optional.of(new MetadataValue.Text(reader.string(key)));
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Optional.of(reader.number());
      case VALUE_TRUE -> Optional.of(new MetadataValue.Flag(true));
      case VALUE_FALSE -> Optional.of(new MetadataValue.Flag(false));
      case START_ARRAY -> array(key);
      case START_OBJECT -> {
        checkLength(key);
        reader.object(key, name -> field(key + "." + name));
        yield Optional.empty();
      }
      default -> Optional.empty();
    };
  }

  private Optional<MetadataValue> array(String key) {
    checkLength(key);
    var elements = new ArrayList<Optional<MetadataValue>>();
    reader.array(key, () -> elements.add(value(key + "." + elements.size())));
    var present = elements.stream().flatMap(Optional::stream).toList();
    var whole =
        present.size() == elements.size() ? ofOneType(present) : Optional.<MetadataValue>empty();
    if (whole.isEmpty()) {
      for (int i = 0; i < elements.size(); i++) {
        String elementKey = key + "." + i;
        elements.get(i).ifPresent(value -> put(elementKey, value));
      }
    }
    return whole;
  }

  private static Optional<MetadataValue> ofOneType(List<MetadataValue> elements) {
    int size = elements.size();
    var wholes = only(MetadataValue.Whole.class, elements);
    if (wholes.size() == size) {
      var values = wholes.stream().mapToLong(MetadataValue.Whole::value).toArray();
      return Optional.of(new MetadataValue.Numbers(NumberArray.of(ValueType.INT64, values)));
    }
    var numbers = elements.stream().flatMapToDouble(JsonMetadata::number).toArray();
    if (numbers.length == size) {
      return Optional.of(new MetadataValue.Numbers(NumberArray.ofDoubles(numbers)));
    }
    var flags = only(MetadataValue.Flag.class, elements);
    if (flags.size() == size) {
      var values = flags.stream().mapToLong(flag -> flag.value() ? 1 : 0).toArray();
      return Optional.of(new MetadataValue.Numbers(NumberArray.of(ValueType.BOOL, values)));
    }
    var texts = only(MetadataValue.Text.class, elements);
    if (texts.size() == size) {
      var values = texts.stream().map(MetadataValue.Text::value).toList();
      return Optional.of(new MetadataValue.Texts(TextArray.of(values)));
    }
    return elements.stream().allMatch(JsonMetadata::isArray)
        ? Optional.of(new MetadataValue.Nested(elements))
        : Optional.empty();
  }

  private static <T> List<T> only(Class<T> type, List<MetadataValue> elements) {
    return elements.stream().filter(type::isInstance).map(type::cast).toList();
  }

  private static DoubleStream number(MetadataValue value) {
    return switch (value) {
      case MetadataValue.Whole(_, var number) -> DoubleStream.of(number);
      case MetadataValue.Real(_, var number) -> DoubleStream.of(number);
      default -> DoubleStream.empty();
    };
  }

  private static boolean isArray(MetadataValue value) {
    return switch (value) {
      case MetadataValue.Numbers _, MetadataValue.Texts _, MetadataValue.Nested _ -> true;
      case MetadataValue.Whole _,
          MetadataValue.Real _,
          MetadataValue.Flag _,
          MetadataValue.Text _ ->
          false;
    };
  }

  private void put(String key, MetadataValue value) {
    checkLength(key);
    if (target.put(key, value) != null) {
      throw reader.broken(Quoted.text(key) + " is there twice, expected each key once");
    }
    if (target.size() > MOST_KEYS) {
      throw reader.broken("more than " + MOST_KEYS + " values");
    }
  }

  private void checkLength(String key) {
    if (key.length() > LONGEST_KEY) {
      throw reader.broken(
          "the key %s has %d characters with the keys above it, expected at most %d"
              .formatted(Quoted.text(key), key.length(), LONGEST_KEY));
    }
  }
}
