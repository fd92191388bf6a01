package weft.serve.ask;

import java.util.Objects;
import tools.jackson.databind.JsonNode;

/** The form that an answer must have. A value. */
public sealed interface Form {
  /** Any text. */
  record Free() implements Form {}

  /** Any JSON object. */
  record AnyObject() implements Form {}

  /** What a JSON schema accepts. */
  record Schema(JsonNode schema) implements Form {
    public Schema {
      Objects.requireNonNull(schema, "schema");
    }
  }

  /** What a regular expression matches as a whole. */
  record Pattern(String regex) implements Form {}

  /** What a grammar in GBNF derives. */
  record Grammar(String gbnf) implements Form {}
}
