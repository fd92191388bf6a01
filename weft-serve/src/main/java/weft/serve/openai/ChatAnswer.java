package weft.serve.openai;

import java.time.Instant;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import weft.generate.Request;
import weft.serve.ask.Ask;
import weft.serve.ask.Chance;
import weft.serve.ask.Cost;
import weft.serve.ask.Event;
import weft.serve.ask.Whole;
import weft.serve.web.Json;

/** Whole answers of a chat as OpenAI writes them, and what its streams share with them. */
final class ChatAnswer {
  private ChatAnswer() {}

  static ObjectNode document(Whole whole, Ask ask) {
    var document = head(OpenAi.id("chatcmpl"), Instant.now(), "chat.completion", whole.model());
    document.put("service_tier", "default");
    var choices = document.putArray("choices");
    for (var answer : whole.answers()) choices.add(choice(choices.size(), answer, ask));
    document.set("usage", usage(whole.cost()));
    document.set("timings", Timings.of(whole.cost()));
    return document;
  }

  static ObjectNode head(String id, Instant created, String object, String model) {
    var head = Json.object();
    head.put("id", id);
    head.put("object", object);
    head.put("created", created.getEpochSecond());
    head.put("model", model);
    head.put("system_fingerprint", "weft");
    return head;
  }

  private static ObjectNode choice(int index, Whole.Answer answer, Ask ask) {
    var choice = Json.object();
    choice.put("index", index);
    var message = choice.putObject("message");
    message.put("role", "assistant");
    if (answer.text().isEmpty() && !answer.calls().isEmpty()) {
      message.putNull("content");
    } else {
      message.put("content", answer.text());
    }
    message.putNull("refusal");
    if (!answer.thought().isEmpty()) message.put("reasoning_content", answer.thought());
    if (!answer.calls().isEmpty()) {
      var calls = message.putArray("tool_calls");
      for (var call : answer.calls()) {
        calls.add(call(call.id(), call.name(), call.arguments()));
      }
    }
    if (ask.logprobs() == Request.NO_LOGPROBS) {
      choice.putNull("logprobs");
    } else {
      choice.set("logprobs", logprobs(answer.chances()));
    }
    choice.put("finish_reason", reason(answer.end()));
    return choice;
  }

  static ObjectNode call(String id, String name, String arguments) {
    var call = Json.object();
    call.put("id", id);
    call.put("type", "function");
    call.putObject("function").put("name", name).put("arguments", arguments);
    return call;
  }

  static String reason(Event.End end) {
    return switch (end) {
      case STOP, CANCELLED -> "stop";
      case LENGTH -> "length";
      case CALLS -> "tool_calls";
    };
  }

  static ObjectNode usage(Cost cost) {
    var usage = Json.object();
    usage.put("prompt_tokens", cost.promptTokens());
    usage.put("completion_tokens", cost.answerTokens());
    usage.put("total_tokens", cost.totalTokens());
    usage.putObject("prompt_tokens_details").put("cached_tokens", cost.cachedTokens());
    var details = usage.putObject("completion_tokens_details");
    details.put("reasoning_tokens", cost.thoughtTokens());
    long accepted = cost.guesses().allAccepted();
    details.put("accepted_prediction_tokens", accepted);
    details.put("rejected_prediction_tokens", cost.guesses().allDrafted() - accepted);
    if (!cost.guesses().drafted().isEmpty()) usage.set("speculation", speculation(cost));
    return usage;
  }

  /** Beyond what OpenAI has: at which depths guesses came true, and what passes gave. */
  private static ObjectNode speculation(Cost cost) {
    var speculation = Json.object();
    var drafted = speculation.putArray("drafted_by_depth");
    cost.guesses().drafted().forEach(drafted::add);
    var accepted = speculation.putArray("accepted_by_depth");
    cost.guesses().accepted().forEach(accepted::add);
    speculation.put("passes", cost.passes());
    speculation.put("tokens_per_pass", (double) cost.answerTokens() / Math.max(1, cost.passes()));
    return speculation;
  }

  static ObjectNode logprobs(List<Chance> chances) {
    var logprobs = Json.object();
    var content = logprobs.putArray("content");
    for (var chance : chances) {
      var entry = entry(chance);
      var top = entry.putArray("top_logprobs");
      chance.alternatives().forEach(other -> top.add(entry(other)));
      content.add(entry);
    }
    logprobs.putNull("refusal");
    return logprobs;
  }

  private static ObjectNode entry(Chance chance) {
    var entry = Json.object();
    entry.put("token", chance.text());
    entry.put("logprob", Math.max(chance.logprob(), -9999)); // JSON has no infinity
    entry.set("bytes", bytes(chance.bytes()));
    return entry;
  }

  private static ArrayNode bytes(byte[] bytes) {
    var array = Json.array();
    for (byte value : bytes) array.add(value & 0xFF);
    return array;
  }
}
