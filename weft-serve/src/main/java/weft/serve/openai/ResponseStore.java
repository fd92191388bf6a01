package weft.serve.openai;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import weft.chat.Message;
import weft.chat.Part;
import weft.serve.web.Json;

/**
 * Responses that clients may go on from, in memory alone; the oldest go where there are too many,
 * or too much of them. Safe for all threads.
 */
final class ResponseStore implements ResponsePast {
  /** Responses that are kept. */
  static final int MOST_KEPT = 1000;

  /** Of all that is kept together, and of one that a socket keeps, in characters of its JSON. */
  static final long LARGEST_KEPT = 64L << 20;

  /**
   * What is known of a response.
   *
   * @param messages all that was said up to its end, without its instructions
   * @param input the items that it was asked with
   */
  record Kept(ObjectNode document, List<Message> messages, List<ObjectNode> input) {
    Kept {
      messages = List.copyOf(messages);
      input = List.copyOf(input);
    }

    /** Whether it is more than a server keeps of anybody. */
    boolean isTooLarge() {
      return size() > LARGEST_KEPT;
    }

    private long size() {
      long size = Json.text(document).length();
      for (var item : input) size += Json.text(item).length();
      for (var message : messages) {
        size += message.content().length();
        for (var shown : message.shown()) size += size(shown);
      }
      return size;
    }

    private static long size(Part.Shown shown) {
      return switch (shown) {
        case Part.Image image -> image.file().length;
        case Part.Video video -> video.files().stream().mapToLong(file -> file.length).sum();
      };
    }
  }

  private final Map<String, Kept> responses = new LinkedHashMap<>(); // guarded by this, as the next
  private long size;

  @Override
  public synchronized void keep(String id, Kept kept, boolean isStored) {
    if (!isStored) return;
    long added = kept.size();
    if (added > LARGEST_KEPT) return;
    responses.put(id, kept);
    size += added;
    while (responses.size() > MOST_KEPT || size > LARGEST_KEPT) {
      forget(responses.keySet().iterator().next());
    }
  }

  @Override
  public synchronized Optional<Kept> find(String id) {
    return Optional.ofNullable(responses.get(id));
  }

  /** Whether there was one to forget. */
  synchronized boolean forget(String id) {
    var kept = Optional.ofNullable(responses.remove(id));
    kept.ifPresent(each -> size -= each.size());
    return kept.isPresent();
  }

  /** An item of any response, of its input or its output. */
  synchronized Optional<JsonNode> item(String id) {
    for (var kept : responses.values()) {
      var items = new ArrayList<JsonNode>(kept.input);
      items.addAll(kept.document.path("output").values());
      for (var item : items) {
        if (item.path("id").asString("").equals(id)) return Optional.of(item);
      }
    }
    return Optional.empty();
  }
}
