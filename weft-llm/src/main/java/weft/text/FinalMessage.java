package weft.text;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Messages whose last one carries a tag behind its text, so that the rendered prompt can be cut
 * there.
 */
record FinalMessage(List<?> messages, String text) {
  /**
   * Transformers' own tag; whether its space survives tells whether the template trims contents.
   */
  private static final String TAG = "CONTINUE_FINAL_MESSAGE_TAG ";

  static FinalMessage tag(@Nullable Object messages) {
    List<@Nullable Object> list =
        items(messages)
            .orElseThrow(
                () -> new TextException("messages have to be a list to continue the last one"));
    if (list.isEmpty()) {
      throw new TextException("there is no message to continue");
    }
    Map<String, @Nullable Object> last =
        entries(list.getLast())
            .orElseThrow(() -> new TextException("the last message has to be an object"));
    Object content = last.get("content");
    Optional<String> text = text(content);
    String tagged =
        text.isPresent() ? text.get() : tagLastPart(last, items(content).orElseGet(List::of));
    if (text.isPresent()) {
      last.put("content", tagged + TAG);
    }
    list.set(list.size() - 1, last);
    return new FinalMessage(list, tagged);
  }

  private static String tagLastPart(
      Map<String, @Nullable Object> message, List<@Nullable Object> parts) {
    for (int i = parts.size() - 1; i >= 0; i--) {
      Optional<Map<String, @Nullable Object>> part = entries(parts.get(i));
      Optional<String> text = part.flatMap(entries -> text(entries.get("text")));
      if (text.isPresent()) {
        part.orElseThrow().put("text", text.get() + TAG);
        parts.set(i, part.orElseThrow());
        message.put("content", parts);
        return text.get();
      }
    }
    throw new TextException(
        "continue_final_message is set, but the last message has no text content to continue");
  }

  /** The prompt up to the end of the last message's text. */
  String cut(String rendered) {
    int tag = rendered.lastIndexOf(TAG.strip());
    if (tag < 0 || !rendered.contains(text.strip())) {
      throw new TextException(
          "the last message does not appear in the rendered chat, so it cannot be continued; this template changes or"
              + " drops parts of it");
    }
    return rendered.startsWith(TAG, tag)
        ? rendered.substring(0, tag)
        : stripTrailing(rendered.substring(0, tag));
  }

  /** Python's {@code rstrip}, which knows more spaces than Java's. */
  private static String stripTrailing(String text) {
    int end = text.length();
    while (end > 0 && isSpace(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(0, end);
  }

  private static boolean isSpace(char c) {
    return Character.isWhitespace(c) || Character.isSpaceChar(c) || c == '\u0085';
  }

  private static Optional<String> text(@Nullable Object value) {
    return switch (value) {
      case String text -> Optional.of(text);
      case JsonNode node when node.isString() -> Optional.of(node.stringValue());
      case null, default -> Optional.empty();
    };
  }

  /** A copy that may be changed. */
  private static Optional<List<@Nullable Object>> items(@Nullable Object value) {
    return switch (value) {
      case JsonNode node when node.isArray() -> Optional.of(new ArrayList<>(node.values()));
      case Collection<?> items -> Optional.of(new ArrayList<>(items));
      case null, default -> Optional.empty();
    };
  }

  /** A copy that may be changed. */
  private static Optional<Map<String, @Nullable Object>> entries(@Nullable Object value) {
    Map<String, @Nullable Object> copy = new LinkedHashMap<>();
    switch (value) {
      case JsonNode node when node.isObject() ->
          node.properties().forEach(entry -> copy.put(entry.getKey(), entry.getValue()));
      case Map<?, ?> map -> map.forEach((key, item) -> copy.put(String.valueOf(key), item));
      case null, default -> {
        return Optional.empty();
      }
    }
    return Optional.of(copy);
  }
}
