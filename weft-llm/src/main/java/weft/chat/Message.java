package weft.chat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One message of a conversation: who says it, and its parts. A value, made by the factories for
 * each role; safe for all threads.
 */
public final class Message {
  public static final String SYSTEM = "system";
  public static final String USER = "user";
  public static final String ASSISTANT = "assistant";
  public static final String TOOL = "tool";

  private static final String CALL = "tool_call_id";

  private final String role;
  private final List<Part> parts;
  private final Map<String, String> fields;

  private Message(String role, List<Part> parts, Map<String, String> fields) {
    this.role = Objects.requireNonNull(role, "role");
    this.parts = List.copyOf(parts);
    this.fields = Map.copyOf(fields);
  }

  /** A message of any role that the model's template knows. */
  public static Message of(String role, Part... parts) {
    return new Message(role, List.of(parts), Map.of());
  }

  /** What the model is told before all else. */
  public static Message system(String text) {
    return of(SYSTEM, new Part.Text(text));
  }

  /** What the user says. */
  public static Message user(String text) {
    return of(USER, new Part.Text(text));
  }

  /** What the model said, its thinking between tags. */
  public static Message assistant(String text) {
    return new Message(ASSISTANT, Thinking.parts(text), Map.of());
  }

  /** What a tool gave, in answer to a call. */
  public static Message tool(Part.Call call, String result) {
    return tool(call, List.of(new Part.Text(result)));
  }

  /** What a tool gave, which may be pictures, too. */
  public static Message tool(Part.Call call, List<? extends Part> result) {
    var fields =
        call.id().isEmpty()
            ? Map.of("name", call.name())
            : Map.of("name", call.name(), CALL, call.id());
    return new Message(TOOL, List.copyOf(result), fields);
  }

  public String role() {
    return role;
  }

  public List<Part> parts() {
    return parts;
  }

  /** All that is written, thoughts between their tags: what {@link #assistant} takes. */
  public String content() {
    return parts.stream()
        .map(
            part ->
                switch (part) {
                  case Part.Text(var text) -> text;
                  case Part.Thought(var text) -> Thinking.tagged(text);
                  case Part.Shown _, Part.Call _ -> "";
                })
        .collect(Collectors.joining());
  }

  /** What is said, without thoughts. */
  public String text() {
    return parts.stream()
        .map(part -> part instanceof Part.Text(var text) ? text : "")
        .collect(Collectors.joining())
        .strip();
  }

  /** What is thought. */
  public String thinking() {
    return parts.stream()
        .map(part -> part instanceof Part.Thought(var text) ? text : "")
        .collect(Collectors.joining())
        .strip();
  }

  /** The pictures and videos that are shown. */
  public List<Part.Shown> shown() {
    return parts.stream()
        .flatMap(part -> part instanceof Part.Shown each ? Stream.of(each) : Stream.empty())
        .toList();
  }

  /** The same message behind a text. */
  Message behind(String text) {
    var more = new ArrayList<Part>(parts);
    boolean isText = !parts.isEmpty() && parts.getFirst() instanceof Part.Text;
    var first = isText ? ((Part.Text) more.removeFirst()).text() : "";
    more.addFirst(new Part.Text(text + first));
    return new Message(role, more, fields);
  }

  /** This message and what another shows and says, of the same role. */
  Message and(Message other) {
    var more = new ArrayList<>(parts);
    more.add(new Part.Text("\n\n"));
    more.addAll(other.parts);
    return new Message(role, more, fields);
  }

  /** The tools that are called. */
  public List<Part.Call> calls() {
    return parts.stream()
        .flatMap(part -> part instanceof Part.Call call ? Stream.of(call) : Stream.empty())
        .toList();
  }

  /** The same message with other names of calls. */
  Message withIds(UnaryOperator<String> change) {
    var others =
        parts.stream()
            .map(
                part ->
                    part instanceof Part.Call(var id, var name, var arguments)
                        ? new Part.Call(change.apply(id), name, arguments)
                        : part)
            .toList();
    var changed = new LinkedHashMap<>(fields);
    changed.computeIfPresent(CALL, (_, id) -> change.apply(id));
    return new Message(role, others, changed);
  }

  /** Whether a model could go on with it. */
  boolean isSaidByModel() {
    return role.equals(ASSISTANT) && calls().isEmpty() && !content().isBlank();
  }

  boolean isResultOf(Part.Call call) {
    return call.id().equals(fields.get(CALL));
  }

  /** The tool that gave this result. */
  String about() {
    return fields.getOrDefault("name", "a tool");
  }

  /** The message as templates know it that know of pictures. */
  Map<String, Object> variables(ThoughtTags tags, Sights sights) {
    var variables = written(tags);
    if (shown().isEmpty()) return variables;
    var content = new ArrayList<Map<String, Object>>();
    for (var part : parts) {
      if (part instanceof Part.Shown each) content.addAll(sights.variables(each));
      if (part instanceof Part.Text(var text)) content.add(Map.of("type", "text", "text", text));
    }
    variables.put("content", content);
    return variables;
  }

  /** The message as templates know it that know texts alone, with a place for each picture. */
  Map<String, Object> placed(ThoughtTags tags, Sights sights) {
    var variables = written(tags);
    if (shown().isEmpty()) return variables;
    variables.put("content", new Placed(parts, sights));
    return variables;
  }

  /** What is said and shown, as a text with a place for each picture. */
  record Placed(List<Part> parts, Sights sights) {
    /** {@code said} is done to each text, and to no place. */
    String text(UnaryOperator<String> said) {
      return parts.stream()
          .map(
              part ->
                  switch (part) {
                    case Part.Text(var text) -> said.apply(text);
                    case Part.Shown each -> sights.places(each);
                    case Part.Thought _, Part.Call _ -> "";
                  })
          .collect(Collectors.joining());
    }
  }

  private Map<String, Object> written(ThoughtTags tags) {
    var variables = new LinkedHashMap<String, Object>(fields);
    variables.put("role", role);
    // Templates find thoughts by the tags that they know.
    boolean isTagged = tags.equals(ThoughtTags.USUAL);
    variables.put("content", isTagged ? content() : text());
    if (!isTagged && !thinking().isEmpty()) variables.put("reasoning_content", thinking());
    var calls = new ArrayList<Map<String, Object>>();
    for (var part : parts) {
      if (part instanceof Part.Call(var id, var name, var arguments)) {
        var call = new LinkedHashMap<String, Object>();
        call.put("type", "function");
        if (!id.isEmpty()) call.put("id", id);
        var function = new LinkedHashMap<String, Object>();
        function.put("name", name);
        function.put("arguments", arguments);
        call.put("function", function);
        calls.add(call);
      }
    }
    if (!calls.isEmpty()) variables.put("tool_calls", calls);
    return variables;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Message that
        && role.equals(that.role)
        && parts.equals(that.parts)
        && fields.equals(that.fields);
  }

  @Override
  public int hashCode() {
    return Objects.hash(role, parts, fields);
  }

  @Override
  public String toString() {
    return role + ": " + content();
  }
}
