package weft.format;

import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/**
 * Walks one JSON document of an untrusted file: UTF-8 only, no key twice, bounded depth and
 * lengths; whatever is wrong is a {@link FormatException} of that file.
 */
final class JsonReader {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(32)
                  .maxNumberLength(100)
                  .maxNameLength(65_535)
                  .build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          // Python writes Infinity and NaN into config.json.
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          // The table of names is Jackson's own and shared; ours are untrusted and used once.
          .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
          .build();

  private final Path file;
  private final String place;
  private final JsonParser parser;

  private JsonReader(Path file, String place, JsonParser parser) {
    this.file = file;
    this.place = place;
    this.parser = parser;
  }

  /** Reads a document that must be one object; {@code field} is called on each value. */
  static void object(Path file, String place, byte[] json, Field field) {
    var strictUtf8 = StandardCharsets.UTF_8.newDecoder();
    var text = new InputStreamReader(new ByteArrayInputStream(json), strictUtf8);
    try (var parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
      var reader = new JsonReader(file, place, parser);
      parser.nextToken();
      reader.object("the document", name -> field.read(reader, name));
      if (parser.nextToken() != null) {
        throw reader.broken("more than one JSON value, expected one object");
      }
    } catch (JacksonException e) {
      throw new FormatException(
          file + ": " + place + ": not the JSON that weft reads: " + e.getOriginalMessage(), e);
    }
  }

  /** Reads the value of one field, all of it. */
  interface Field {
    void read(JsonReader reader, String name);
  }

  JsonToken token() {
    return parser.currentToken();
  }

  void object(String what, Consumer<String> field) {
    expect(JsonToken.START_OBJECT, what, "an object");
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      field.accept(name);
    }
  }

  void array(String what, Runnable element) {
    expect(JsonToken.START_ARRAY, what, "an array");
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      element.run();
    }
  }

  String string(String what) {
    expect(JsonToken.VALUE_STRING, what, "a string");
    return parser.getString();
  }

  /** A whole number from 0 to 2^63 - 1. */
  long size(String what) {
    expect(JsonToken.VALUE_NUMBER_INT, what, "a whole number");
    if (!isLong() || parser.getLongValue() < 0) {
      throw broken(what + " is " + parser.getString() + ", expected 0 to 2^63 - 1");
    }
    return parser.getLongValue();
  }

  MetadataValue number() {
    return token() == JsonToken.VALUE_NUMBER_INT && isLong()
        ? new MetadataValue.Whole(ValueType.INT64, parser.getLongValue())
        : new MetadataValue.Real(ValueType.FLOAT64, parser.getDoubleValue());
  }

  void skip() {
    parser.skipChildren();
  }

  FormatException broken(String message) {
    return new FormatException(file + ": " + place + ": " + message);
  }

  private boolean isLong() {
    return switch (parser.getNumberType()) {
      case INT, LONG -> true;
      case BIG_INTEGER, FLOAT, DOUBLE, BIG_DECIMAL -> false;
    };
  }

  private void expect(JsonToken expected, String what, String description) {
    if (token() != expected) {
      throw broken(what + " is " + met() + ", expected " + description);
    }
  }

  private String met() {
    return switch (token()) {
      case null -> "missing";
      case START_OBJECT -> "an object";
      case START_ARRAY -> "an array";
      default -> Quoted.text(parser.getString());
    };
  }
}
