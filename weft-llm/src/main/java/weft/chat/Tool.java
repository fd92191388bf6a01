package weft.chat;

import java.util.Map;
import java.util.Objects;

/**
 * A tool that a model may call, as data: what its template shows to the model. Running it is the
 * caller's. A value, safe for all threads.
 *
 * @param parameters a JSON schema of the arguments, as maps, lists, texts, numbers and booleans
 */
public record Tool(String name, String description, Map<String, ?> parameters) {
  public Tool {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(description, "description");
    parameters = Map.copyOf(parameters);
  }

  /** The tool as templates know it. */
  Map<String, Object> variables() {
    return Map.of(
        "type",
        "function",
        "function",
        Map.of("name", name, "description", description, "parameters", parameters));
  }
}
