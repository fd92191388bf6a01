package weft.chat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A tool that a model may call, as data: what its template shows to the model. Running it is the
 * caller's. A value, made by {@link #of} and the {@code with} methods; safe for all threads.
 */
public final class Tool {
  private final String name;
  private final String description;
  private final Map<String, @Nullable Object> parameters;
  private final boolean isStrict;

  private Tool(
      String name,
      String description,
      Map<String, ? extends @Nullable Object> parameters,
      boolean isStrict) {
    this.name = Objects.requireNonNull(name, "name");
    this.description = Objects.requireNonNull(description, "description");
    this.parameters = JsonValues.copy(parameters);
    this.isStrict = isStrict;
  }

  /**
   * A tool by its name.
   *
   * @param parameters a JSON schema of the arguments, as maps, lists, texts, numbers and booleans;
   *     their order is kept
   */
  public static Tool of(
      String name, String description, Map<String, ? extends @Nullable Object> parameters) {
    return new Tool(name, description, parameters, false);
  }

  public Tool withDescription(String text) {
    return new Tool(name, text, parameters, isStrict);
  }

  public Tool withParameters(Map<String, ? extends @Nullable Object> schema) {
    return new Tool(name, description, schema, isStrict);
  }

  /** The same tool, whose calls always keep to the schema of its parameters. */
  public Tool strict() {
    return new Tool(name, description, parameters, true);
  }

  public String name() {
    return name;
  }

  public String description() {
    return description;
  }

  public Map<String, @Nullable Object> parameters() {
    return parameters;
  }

  public boolean isStrict() {
    return isStrict;
  }

  /** The tool as templates know it. */
  Map<String, Object> variables() {
    var function = new LinkedHashMap<String, Object>();
    function.put("name", name);
    function.put("description", description);
    function.put("parameters", parameters);
    var variables = new LinkedHashMap<String, Object>();
    variables.put("type", "function");
    variables.put("function", function);
    return variables;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Tool that
        && name.equals(that.name)
        && description.equals(that.description)
        && parameters.equals(that.parameters)
        && isStrict == that.isStrict;
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, description, parameters, isStrict);
  }

  @Override
  public String toString() {
    return name + ": " + description;
  }
}
