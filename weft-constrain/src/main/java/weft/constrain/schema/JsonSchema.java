package weft.constrain.schema;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import weft.constrain.ConstrainException;
import weft.constrain.Grammar;

/**
 * JSON Schema as a {@link Grammar} of the JSON texts that it allows. Properties come in the order
 * in which the schema has them, those it does not name behind; what cannot be kept is refused by a
 * {@link ConstrainException} that names the keyword and its place. Safe for all threads.
 */
public final class JsonSchema {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private JsonSchema() {}

  /** The texts that a schema allows. */
  public static Grammar compile(String schema) {
    try {
      return compile(MAPPER.readTree(schema));
    } catch (JacksonException e) {
      throw new ConstrainException("the schema is not JSON: " + e.getOriginalMessage());
    }
  }

  /** The texts that a schema allows. */
  public static Grammar compile(JsonNode schema) {
    var builder = new Grammar.Builder();
    return builder.build(rule(builder, schema));
  }

  /** Adds the rules of a schema to a grammar; the one returned stands for a value of it. */
  public static Grammar.Rule rule(Grammar.Builder builder, JsonNode schema) {
    var effort = new Effort();
    var document = new Document(schema, effort);
    var meaning = new Meaning(document, effort);
    var term = document.term();
    if (meaning.isEmpty(term)) {
      meaning.shape(term);
      throw new ConstrainException("the schema allows no value at all; it contradicts itself");
    }
    return new RuleWriter(builder, meaning).write(term);
  }

  /** Any JSON object, as {@code response_format} of type {@code json_object} asks for. */
  public static Grammar anyObject() {
    return compile("{\"type\": \"object\"}");
  }

  /** Any JSON value. */
  public static Grammar anyValue() {
    return compile("true");
  }
}
