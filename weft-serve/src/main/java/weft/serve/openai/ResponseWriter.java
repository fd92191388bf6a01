package weft.serve.openai;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import weft.generate.Request;
import weft.serve.ask.Ask;
import weft.serve.ask.Cost;
import weft.serve.ask.Event;
import weft.serve.ask.Problem;
import weft.serve.web.Json;

/**
 * Writes a response while its answer comes: the document, item by item, and an event for each
 * change of it. For one thread.
 */
final class ResponseWriter implements Consumer<Event> {
  private final ObjectNode response;
  private final Ask ask;
  private final Consumer<ObjectNode> events;
  private final ArrayNode output;
  private final StringBuilder text = new StringBuilder();
  private final ArrayNode logprobs = Json.array();
  private Optional<ObjectNode> item = Optional.empty();
  private int sequence;
  private Event.End end = Event.End.STOP;

  /** {@code head} becomes the whole document; events carry copies of it. */
  ResponseWriter(ObjectNode head, Ask ask, Consumer<ObjectNode> events) {
    this.response = head;
    this.ask = ask;
    this.events = events;
    this.output = (ArrayNode) head.get("output");
  }

  /** An id of an item, by its kind. */
  static String id(String kind) {
    var prefix =
        switch (kind) {
          case "message" -> "msg_";
          case "function_call" -> "fc_";
          case "function_call_output" -> "fco_";
          case "reasoning" -> "rs_";
          case ResponseCompaction.TYPE -> "cmp_";
          default -> "item_";
        };
    return prefix + UUID.randomUUID().toString().replace("-", "");
  }

  /** Whether anything was sent. */
  boolean isBegun() {
    return sequence > 0;
  }

  ObjectNode response() {
    return response;
  }

  @Override
  public void accept(Event event) {
    switch (event) {
      case Event.Begun begun -> {
        response.put("model", begun.model());
        whole("response.created");
        whole("response.in_progress");
      }
      case Event.Said said -> say(said);
      case Event.Thought thought -> think(thought.text());
      case Event.CallBegun call -> {
        leave("completed");
        var made = enter("function_call");
        made.put("call_id", call.id()).put("name", call.name()).put("arguments", "");
        added(made);
      }
      case Event.CallArguments more -> {
        text.append(more.json());
        send(event("response.function_call_arguments.delta").put("delta", more.json()));
      }
      case Event.Ended ended -> end = ended.end();
      case Event.Spent spent -> finish(spent.cost());
      case Event.Waiting() -> {}
    }
  }

  private void say(Event.Said said) {
    if (said.text().isEmpty() && !isIn("message")) return;
    if (!isIn("message")) {
      leave("completed");
      var message = enter("message").put("role", "assistant");
      message.putArray("content");
      added(message);
      var part = event("response.content_part.added").put("content_index", 0);
      part.set("part", outputText("", Json.array()));
      send(part);
    }
    text.append(said.text());
    var delta = event("response.output_text.delta").put("content_index", 0);
    delta.put("delta", said.text());
    var chances = Json.array();
    if (ask.logprobs() != Request.NO_LOGPROBS) {
      chances.addAll(ChatAnswer.logprobs(said.chances()).get("content").values());
    }
    logprobs.addAll(chances.values());
    delta.set("logprobs", chances);
    send(delta);
  }

  private void think(String thought) {
    if (!isIn("reasoning")) {
      leave("completed");
      var reasoning = enter("reasoning");
      reasoning.putArray("summary");
      added(reasoning);
      var part = event("response.reasoning_summary_part.added").put("summary_index", 0);
      part.set("part", summary(""));
      send(part);
    }
    text.append(thought);
    send(
        event("response.reasoning_summary_text.delta")
            .put("summary_index", 0)
            .put("delta", thought));
  }

  private boolean isIn(String type) {
    return item.filter(each -> each.get("type").stringValue().equals(type)).isPresent();
  }

  private ObjectNode enter(String type) {
    text.setLength(0);
    logprobs.removeAll();
    var made = Json.object().put("id", id(type)).put("type", type);
    if (!type.equals("reasoning")) made.put("status", "in_progress");
    item = Optional.of(made);
    return made;
  }

  private void added(ObjectNode made) {
    var added = Json.object().put("type", "response.output_item.added");
    added.put("output_index", output.size());
    added.set("item", made.deepCopy());
    send(added);
  }

  /** Ends the item that is being written. */
  private void leave(String status) {
    if (item.isEmpty()) return;
    var made = item.get();
    switch (made.get("type").stringValue()) {
      case "message" -> leaveMessage(made);
      case "reasoning" -> leaveReasoning(made);
      default -> {
        made.put("arguments", text.toString());
        var done = event("response.function_call_arguments.done");
        send(done.put("name", made.get("name").stringValue()).put("arguments", text.toString()));
      }
    }
    if (made.has("status")) made.put("status", status);
    var done = Json.object().put("type", "response.output_item.done");
    done.put("output_index", output.size());
    done.set("item", made);
    send(done);
    output.add(made);
    item = Optional.empty();
  }

  private void leaveMessage(ObjectNode made) {
    var part = outputText(text.toString(), logprobs.deepCopy());
    var done = event("response.output_text.done").put("content_index", 0);
    done.put("text", text.toString());
    done.set("logprobs", logprobs.deepCopy());
    send(done);
    var partDone = event("response.content_part.done").put("content_index", 0);
    partDone.set("part", part);
    send(partDone);
    ((ArrayNode) made.get("content")).add(part);
  }

  private void leaveReasoning(ObjectNode made) {
    var part = summary(text.toString());
    send(
        event("response.reasoning_summary_text.done")
            .put("summary_index", 0)
            .put("text", text.toString()));
    var partDone = event("response.reasoning_summary_part.done").put("summary_index", 0);
    partDone.set("part", part);
    send(partDone);
    ((ArrayNode) made.get("summary")).add(part);
  }

  private static ObjectNode outputText(String text, ArrayNode chances) {
    var part = Json.object().put("type", "output_text").put("text", text);
    part.putArray("annotations");
    part.set("logprobs", chances);
    return part;
  }

  private static ObjectNode summary(String text) {
    return Json.object().put("type", "summary_text").put("text", text);
  }

  private void finish(Cost cost) {
    boolean isCut = end == Event.End.LENGTH || end == Event.End.CANCELLED;
    leave(isCut ? "incomplete" : "completed");
    if (output.isEmpty()) { // a model that says nothing said an empty message
      var message = enter("message").put("role", "assistant");
      message.putArray("content");
      added(message);
      leave("completed");
    }
    complete(cost);
    if (isCut) {
      response.put("status", "incomplete").putNull("completed_at");
      response
          .putObject("incomplete_details")
          .put("reason", end == Event.End.LENGTH ? "max_output_tokens" : "content_filter");
    }
    whole(isCut ? "response.incomplete" : "response.completed");
  }

  /** For who only wanted the prompt to be known: it is over before anything is said. */
  void sayNothing(int promptTokens) {
    whole("response.created");
    whole("response.in_progress");
    complete(Cost.ofPrompts(promptTokens));
    whole("response.completed");
  }

  private void complete(Cost cost) {
    response.set("usage", usage(cost));
    response.put("status", "completed");
    response.put("completed_at", Instant.now().getEpochSecond());
  }

  /** The answer broke off. */
  void fail(Problem problem) {
    leave("incomplete");
    response.put("status", "failed");
    response.putObject("error").put("code", "server_error").put("message", problem.sentence());
    whole("response.failed");
  }

  static ObjectNode usage(Cost cost) {
    var usage = Json.object();
    usage.put("input_tokens", cost.promptTokens());
    usage
        .putObject("input_tokens_details")
        .put("cached_tokens", cost.cachedTokens())
        .put("cache_write_tokens", 0); // what the vendor charges for; its client wants it
    usage.put("output_tokens", cost.answerTokens());
    usage.putObject("output_tokens_details").put("reasoning_tokens", cost.thoughtTokens());
    usage.put("total_tokens", cost.totalTokens());
    return usage;
  }

  /** An event about the item that is being written. */
  private ObjectNode event(String type) {
    var id = item.orElseThrow().get("id").stringValue();
    return Json.object().put("type", type).put("item_id", id).put("output_index", output.size());
  }

  private void whole(String type) {
    var event = Json.object().put("type", type);
    event.set("response", response.deepCopy());
    send(event);
  }

  private void send(ObjectNode event) {
    events.accept(event.put("sequence_number", sequence++));
  }
}
