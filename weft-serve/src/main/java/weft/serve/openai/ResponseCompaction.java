package weft.serve.openai;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;
import weft.chat.ChatOptions;
import weft.chat.Message;
import weft.generate.Sampling;
import weft.generate.Stops;
import weft.serve.ask.Answering;
import weft.serve.ask.Ask;
import weft.serve.ask.Client;
import weft.serve.ask.Problem;
import weft.serve.ask.ProblemException;
import weft.serve.ask.Prompt;
import weft.serve.ask.Whole;
import weft.serve.web.Fields;
import weft.serve.web.Json;

/**
 * {@code /v1/responses/compact}: a conversation as one item, which is what the model itself says of
 * it in short. The item is opaque to clients, as the vendor's is, but holds no secret.
 */
final class ResponseCompaction {
  /** Tokens of a summary. */
  static final int LONGEST_SUMMARY = 1024;

  /** The type of such items. */
  static final String TYPE = "compaction";

  private static final String TASK =
      "Below is a conversation between a user and an assistant. Sum it up for an assistant who is to"
          + " go on with it: what the user wants, what was done and found, what is left to do. Keep"
          + " names, numbers and decisions. Answer with the summary alone.\n\n";

  private static final String SUMMARY = "Summary of the conversation so far:\n";

  private ResponseCompaction() {}

  static ObjectNode of(Answering answering, Fields body, List<Message> messages, Client client) {
    var told = new ArrayList<String>();
    body.text("instructions").ifPresent(text -> told.add("instructions: " + text));
    messages.forEach(message -> told.add(told(message)));
    if (told.isEmpty()) throw Fields.bad("input", "an empty list", "at least one item");
    var ask = ask(answering, body, told).withIsolation(client.isolation());
    var whole = new Whole(1);
    answering.answer(ask, client.watching(whole));
    var made = Json.object().put("id", "resp_" + OpenAi.id("").substring(1));
    made.put("object", "response.compaction");
    made.put("created_at", Instant.now().getEpochSecond());
    made.putArray("output").add(item(whole.answers().getFirst().text().strip()));
    made.set("usage", ResponseWriter.usage(whole.cost()));
    return made;
  }

  /** Without the oldest of what was said, as far as the context wants it. */
  private static Ask ask(Answering answering, Fields body, List<String> told) {
    var model = body.text("model").orElse(Ask.FIRST_MODEL);
    var options = ChatOptions.standard().withThinking(false);
    var left = told;
    while (true) {
      var task = Message.user(TASK + String.join("\n\n", left));
      var ask =
          Ask.of(
                  model,
                  new Prompt.Talk(List.of(task), options),
                  Sampling.seeded(0).withTemperature(0))
              .withStops(Stops.NONE.withMaxTokens(LONGEST_SUMMARY));
      try {
        answering.promptTokens(ask);
        return ask;
      } catch (ProblemException e) {
        if (!(e.problem() instanceof Problem.ContextExceeded) || left.size() < 2) throw e;
        left = left.subList(Math.max(1, left.size() / 8), left.size());
      }
    }
  }

  private static String told(Message message) {
    var text = new StringBuilder(message.role()).append(": ").append(message.content());
    for (var call : message.calls()) {
      text.append("\n(calls ").append(call.name()).append(' ').append(call.json()).append(')');
    }
    return text.toString();
  }

  private static ObjectNode item(String summary) {
    var bytes = summary.getBytes(StandardCharsets.UTF_8);
    return Json.object()
        .put("id", ResponseWriter.id(TYPE))
        .put("type", TYPE)
        .put("encrypted_content", Base64.getEncoder().encodeToString(bytes));
  }

  /** What an item stands for, as the beginning of what the user says next. */
  static String summary(Fields item) {
    item.required("encrypted_content", "what a compaction gave");
    try {
      var bytes = Base64.getDecoder().decode(item.text("encrypted_content").orElseThrow());
      return SUMMARY + new String(bytes, StandardCharsets.UTF_8) + "\n\n";
    } catch (IllegalArgumentException e) {
      throw Fields.bad(
          item.path("encrypted_content"), "other text", "what a compaction of this server gave");
    }
  }
}
