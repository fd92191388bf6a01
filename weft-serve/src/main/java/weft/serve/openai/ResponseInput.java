package weft.serve.openai;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import weft.chat.Message;
import weft.chat.Part;
import weft.serve.ask.Images;
import weft.serve.ask.Problem;
import weft.serve.ask.ProblemException;
import weft.serve.web.Fields;
import weft.serve.web.Json;

/** The input of a response: items as OpenAI's clients write them become messages. */
final class ResponseInput {
  /** Items of an input. */
  static final int MOST_ITEMS = 4096;

  private static final List<String> ROLES = List.of("system", "developer", "user", "assistant");

  /** Items that are never in the making. */
  private static final List<String> STATELESS = List.of("reasoning", ResponseCompaction.TYPE);

  private final Function<String, Optional<JsonNode>> known;
  private final List<Message> messages = new ArrayList<>();
  private final List<ObjectNode> items = new ArrayList<>();
  private final List<Part> said = new ArrayList<>();
  private final StringBuilder summary = new StringBuilder();
  private final Map<String, Part.Call> calls = new HashMap<>();

  private final Images images;

  private ResponseInput(
      List<Message> earlier, Function<String, Optional<JsonNode>> known, Images images) {
    this.known = known;
    this.images = images;
    this.messages.addAll(earlier);
    earlier.forEach(message -> message.calls().forEach(call -> calls.put(call.id(), call)));
  }

  /**
   * Reads the input of a request.
   *
   * @param earlier what was said before
   * @param known items by their ids, for references
   */
  static ResponseInput read(
      Fields body,
      List<Message> earlier,
      Function<String, Optional<JsonNode>> known,
      Images images) {
    var input = new ResponseInput(earlier, known, images);
    // Who goes on from a response may have nothing to add.
    if (!body.has("input") && body.has("previous_response_id")) return input;
    var given = body.required("input", "a string, or a list of items");
    if (given.isString()) {
      var item = Json.object().put("type", "message").put("role", "user");
      item.putArray("content").addObject().put("type", "input_text").set("text", given);
      input.item(Fields.of(item, "input"));
    } else if (given.isArray()) {
      body.objects("input", MOST_ITEMS).forEach(input::item);
    } else {
      throw body.wrong("input", given, "a string, or a list of items");
    }
    input.endSaid();
    boolean isNothing = input.items.isEmpty() && earlier.isEmpty() && !body.has("instructions");
    if (isNothing) throw Fields.bad("input", "an empty list", "at least one item");
    if (!input.summary.isEmpty()) {
      input.messages.add(
          Message.of(Message.USER, input.withSummary(List.of()).toArray(Part[]::new)));
    }
    return input;
  }

  /** All that was said, the earlier messages first. */
  List<Message> messages() {
    return List.copyOf(messages);
  }

  /** The items of this input, each with an id. */
  List<ObjectNode> items() {
    return List.copyOf(items);
  }

  private void item(Fields item) {
    var type = item.text("type").orElse(item.has("role") ? "message" : "item_reference");
    if (type.equals("item_reference")) {
      var id = item.text("id").orElse("");
      var found =
          known
              .apply(id)
              .orElseThrow(
                  () -> new ProblemException(new Problem.NotFound("item " + Fields.quoted(id))));
      item(Fields.of(found, item.path()));
      return;
    }
    switch (type) {
      case "message" -> message(item);
      case "function_call" -> said.add(call(item));
      case "function_call_output" -> result(item);
      case ResponseCompaction.TYPE -> {
        endSaid();
        summary.append(ResponseCompaction.summary(item));
      }
      case "reasoning" -> said.add(new Part.Thought(thought(item)));
      default ->
          throw Fields.bad(
              item.path("type"),
              Fields.quoted(type),
              "message, function_call, function_call_output, reasoning, compaction or item_reference");
    }
    keep(item, type);
  }

  private void keep(Fields item, String type) {
    var kept = ((ObjectNode) item.node()).deepCopy();
    kept.put("type", type);
    if (!item.has("id")) kept.put("id", ResponseWriter.id(type));
    if (!item.has("status") && !STATELESS.contains(type)) kept.put("status", "completed");
    if (kept.path("content").isString()) {
      var text = kept.get("content").stringValue();
      boolean isOutput = kept.path("role").asString("").equals("assistant");
      var part = kept.putArray("content").addObject();
      part.put("type", isOutput ? "output_text" : "input_text").put("text", text);
      if (isOutput) part.putArray("annotations");
    }
    items.add(kept);
  }

  private void message(Fields item) {
    item.required("role", "one of " + ROLES);
    var role = item.word("role", ROLES).orElseThrow();
    var parts = ChatMessages.parts(item, true, images);
    if (role.equals("assistant")) {
      said.addAll(Message.assistant(ChatMessages.text(item, parts)).parts());
      return;
    }
    endSaid();
    messages.add(
        role.equals("user")
            ? Message.of(Message.USER, withSummary(parts).toArray(Part[]::new))
            : Message.system(ChatMessages.text(item, parts)));
  }

  /** A summary is the user's first word: templates want that roles alternate. */
  private List<Part> withSummary(List<Part> parts) {
    if (summary.isEmpty()) return parts;
    var all = new ArrayList<Part>();
    all.add(new Part.Text(summary.toString()));
    all.addAll(parts);
    summary.setLength(0);
    return all;
  }

  private Part.Call call(Fields item) {
    item.required("call_id", "a string");
    item.required("name", "the name of a tool");
    var json = item.text("arguments").filter(text -> !text.isBlank()).orElse("{}");
    var call =
        Part.Call.of(item.text("call_id").orElseThrow(), item.text("name").orElseThrow(), json)
            .orElseThrow(
                () -> Fields.bad(item.path("arguments"), "other text", "a JSON object as text"));
    calls.put(call.id(), call);
    return call;
  }

  private void result(Fields item) {
    item.required("call_id", "the id of a call");
    item.required("output", "a string, or a list of parts");
    endSaid();
    var id = item.text("call_id").orElseThrow();
    var call = Optional.ofNullable(calls.get(id));
    if (call.isEmpty()) {
      throw Fields.bad(
          item.path("call_id"), Fields.quoted(id), "the call_id of a function_call before");
    }
    var content = Json.object();
    content.set("content", item.node().get("output"));
    var given = ChatMessages.parts(Fields.of(content, item.path()), true, images);
    messages.add(Message.tool(call.get(), given));
  }

  private static String thought(Fields item) {
    var text = new StringBuilder();
    for (var name : List.of("content", "summary")) {
      if (!text.isEmpty()) break;
      for (var part : item.objects(name, ChatMessages.MOST_PARTS)) {
        text.append(part.text("text").orElse(""));
      }
    }
    return text.toString();
  }

  /** What the model said and called in a row is one message. */
  private void endSaid() {
    if (said.isEmpty()) return;
    messages.add(Message.of(Message.ASSISTANT, said.toArray(Part[]::new)));
    said.clear();
  }
}
