package weft.serve.openai;

import java.time.Instant;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;
import weft.serve.ask.Ask;
import weft.serve.web.Fields;
import weft.serve.web.Json;

/** What a response says of the request that it answers, before there is an answer. */
final class ResponseHead {
  private ResponseHead() {}

  static ObjectNode document(String id, Fields body, Ask ask) {
    var head = Json.object();
    head.put("id", id);
    head.put("object", "response");
    head.put("created_at", Instant.now().getEpochSecond());
    head.putNull("completed_at");
    head.put("status", "in_progress");
    head.put("background", false);
    head.putNull("error");
    head.putNull("incomplete_details");
    echo(head, body, "instructions");
    echo(head, body, "max_output_tokens");
    echo(head, body, "max_tool_calls");
    head.put("model", ask.model());
    head.putArray("output");
    head.put("parallel_tool_calls", body.flag("parallel_tool_calls").orElse(true));
    echo(head, body, "previous_response_id");
    var reasoning = head.putObject("reasoning");
    var asked = body.object("reasoning").orElseGet(() -> Fields.of(Json.object(), "reasoning"));
    echo(reasoning, asked, "effort");
    echo(reasoning, asked, "summary");
    head.put("service_tier", "default");
    head.put("store", isStored(body));
    head.put("temperature", ask.sampling().temperature());
    text(head, body);
    choice(head, body);
    tools(head, body);
    head.put("top_p", ask.sampling().topP());
    head.put("top_logprobs", Math.max(0, ask.logprobs()));
    head.put("presence_penalty", body.number("presence_penalty", -2, 2).orElse(0));
    head.put("frequency_penalty", body.number("frequency_penalty", -2, 2).orElse(0));
    head.put("truncation", body.word("truncation", List.of("auto", "disabled")).orElse("disabled"));
    head.putNull("usage");
    echo(head, body, "user");
    echo(head, body, "safety_identifier");
    echo(head, body, "prompt_cache_key");
    metadata(head, body);
    return head;
  }

  static boolean isStored(Fields body) {
    return body.flag("store").orElse(true);
  }

  /** A field as it was given; null where it was not. */
  private static void echo(ObjectNode head, Fields body, String name) {
    body.field(name).ifPresentOrElse(value -> head.set(name, value), () -> head.putNull(name));
  }

  private static void text(ObjectNode head, Fields body) {
    var text = head.putObject("text");
    var given = body.object("text");
    var format = given.flatMap(each -> each.object("format"));
    if (format.isPresent()) {
      text.set("format", format.get().node());
    } else {
      text.putObject("format").put("type", "text");
    }
    text.put(
        "verbosity",
        given.flatMap(each -> each.word("verbosity", Aside.VERBOSITIES)).orElse("medium"));
  }

  private static void choice(ObjectNode head, Fields body) {
    body.field("tool_choice")
        .ifPresentOrElse(
            choice -> head.set("tool_choice", choice), () -> head.put("tool_choice", "auto"));
  }

  private static void tools(ObjectNode head, Fields body) {
    var tools = head.putArray("tools");
    for (var tool : body.objects("tools", ChatTools.MOST_TOOLS)) {
      var shown = tools.addObject().put("type", "function");
      for (var name : List.of("name", "description", "parameters", "strict")) {
        echo(shown, tool, name);
      }
    }
  }

  private static void metadata(ObjectNode head, Fields body) {
    var metadata = head.putObject("metadata");
    Aside.metadata(body)
        .ifPresent(
            given -> {
              for (var name : given.node().propertyNames()) {
                metadata.put(name, given.text(name).orElse(""));
              }
            });
  }
}
