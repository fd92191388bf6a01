package weft.load;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import weft.text.ChatTemplate;
import weft.text.tokenizer.Surround;
import weft.text.tokenizer.Tokenizer;

/**
 * Turns conversations into tokens as the model was trained to see them. Control tokens come from
 * the template alone: one that a message, a tool or any other part of a conversation spells is
 * text. Immutable.
 */
public final class ChatPrompts {
  /** What a template made of a conversation. */
  public record Prompt(String text, int[] tokens) {}

  private final ChatTemplate template;
  private final Tokenizer tokenizer;
  private final Map<String, String> specialTokens;
  private final ControlMarks marks;

  /** {@code specialTokens} are variables of the template that are to be trusted. */
  public ChatPrompts(
      ChatTemplate template, Tokenizer tokenizer, Map<String, String> specialTokens) {
    this.template = template;
    this.tokenizer = tokenizer;
    this.specialTokens = Map.copyOf(specialTokens);
    this.marks = new ControlMarks(controlTokens(tokenizer));
  }

  private static List<String> controlTokens(Tokenizer tokenizer) {
    return IntStream.range(0, tokenizer.vocabularySize())
        .filter(id -> tokenizer.has(id) && tokenizer.isSpecial(id))
        .mapToObj(tokenizer::token)
        .toList();
  }

  public Tokenizer tokenizer() {
    return tokenizer;
  }

  /**
   * The prompt of a conversation: {@code messages} and whatever else the template reads, as {@link
   * ChatTemplate#render(Map)} takes them.
   */
  public Prompt prompt(Map<String, ? extends @Nullable Object> conversation) {
    var variables = new LinkedHashMap<String, @Nullable Object>(specialTokens);
    conversation.forEach((name, value) -> variables.put(name, marked(value)));
    var prompt = ControlMarks.unmark(template.render(variables));
    return new Prompt(
        prompt.text(), tokenizer.encode(prompt.text(), Surround.OMITTED, prompt.spans()));
  }

  /** The same data with every text in it marked, names of fields too. */
  private @Nullable Object marked(@Nullable Object value) {
    return switch (value) {
      case String text -> marks.mark(text);
      case JsonNode node when node.isString() -> marks.mark(node.stringValue());
      case JsonNode node when node.isArray() -> marked(node.values());
      case JsonNode node when node.isObject() -> {
        var fields = new LinkedHashMap<String, @Nullable Object>();
        for (var field : node.properties()) fields.put(field.getKey(), field.getValue());
        yield marked(fields);
      }
      case Map<?, ?> map -> {
        var fields = new LinkedHashMap<String, @Nullable Object>();
        map.forEach((name, field) -> fields.put(marks.mark(String.valueOf(name)), marked(field)));
        yield fields;
      }
      case Collection<?> items -> {
        var list = new ArrayList<@Nullable Object>();
        for (var item : items) list.add(marked(item));
        yield list;
      }
      case null -> null;
      default -> value;
    };
  }
}
