package weft.serve.anthropic;

import tools.jackson.databind.node.ObjectNode;
import weft.serve.ask.Ask;
import weft.serve.ask.Cost;
import weft.serve.ask.Event;
import weft.serve.ask.Whole;
import weft.serve.web.Json;

/** Whole answers as Anthropic writes them, and what its streams share with them. */
final class MessageAnswer {
  /** What shows the vendor that a thought is its own; here it is nobody's business. */
  static final String SIGNATURE = "d2VmdA==";

  private MessageAnswer() {}

  static ObjectNode document(Whole whole, Ask ask, boolean withThoughts) {
    var answer = whole.answers().getFirst();
    var document = head(whole.model());
    var content = document.putArray("content");
    if (withThoughts && !answer.thought().isEmpty()) {
      content.add(thinking(answer.thought(), SIGNATURE));
    }
    if (!answer.text().isEmpty()) content.add(text(answer.text()));
    for (var call : answer.calls()) {
      var block = call(call.id(), call.name());
      block.set("input", input(call.arguments()));
      content.add(block);
    }
    document.setAll(end(answer.end(), answer.stop(), whole.cost(), ask));
    document.set("usage", usage(whole.cost()));
    return document;
  }

  static ObjectNode head(String model) {
    var head = Json.object();
    head.put("id", Anthropic.id("msg"));
    head.put("type", "message");
    head.put("role", "assistant");
    head.put("model", model);
    head.putNull("container");
    return head;
  }

  static ObjectNode text(String text) {
    var block = Json.object().put("type", "text").put("text", text);
    block.putNull("citations");
    return block;
  }

  static ObjectNode thinking(String text, String signature) {
    return Json.object().put("type", "thinking").put("thinking", text).put("signature", signature);
  }

  static ObjectNode call(String id, String name) {
    var block = Json.object().put("type", "tool_use").put("id", callId(id)).put("name", name);
    block.putObject("input");
    block.putObject("caller").put("type", "direct");
    return block;
  }

  /** As the vendor's ids of calls begin. */
  private static String callId(String id) {
    return "toolu_" + (id.startsWith("call_") ? id.substring("call_".length()) : id);
  }

  /** Arguments that are cut off are no JSON, and say nothing. */
  private static ObjectNode input(String arguments) {
    return Json.objectOr(arguments, Json.object());
  }

  /** An answer that is cut off before it has all the tokens it may have is at the context's end. */
  static ObjectNode end(Event.End end, String stop, Cost cost, Ask ask) {
    var reason =
        switch (end) {
          case STOP, CANCELLED -> stop.isEmpty() ? "end_turn" : "stop_sequence";
          case LENGTH ->
              cost.answerTokens() < ask.stops().maxTokens()
                  ? "model_context_window_exceeded"
                  : "max_tokens";
          case CALLS -> "tool_use";
        };
    var fields = Json.object().put("stop_reason", reason);
    if (reason.equals("stop_sequence")) {
      fields.put("stop_sequence", stop);
    } else {
      fields.putNull("stop_sequence");
    }
    fields.putNull("stop_details");
    return fields;
  }

  static ObjectNode usage(Cost cost) {
    var usage = usage(cost.promptTokens(), cost.answerTokens());
    usage.putObject("output_tokens_details").put("thinking_tokens", cost.thoughtTokens());
    return usage;
  }

  /** The vendor counts what is cached apart only where a client asks for a cache by name. */
  static ObjectNode usage(int prompt, int answer) {
    var usage =
        Json.object()
            .put("input_tokens", prompt)
            .put("cache_creation_input_tokens", 0)
            .put("cache_read_input_tokens", 0)
            .put("output_tokens", answer);
    usage
        .putObject("cache_creation")
        .put("ephemeral_5m_input_tokens", 0)
        .put("ephemeral_1h_input_tokens", 0);
    usage.put("service_tier", "standard");
    return usage.putNull("server_tool_use").putNull("inference_geo");
  }
}
