package weft.serve.openai;

import java.time.Instant;
import tools.jackson.databind.node.ObjectNode;
import weft.generate.Request;
import weft.serve.ask.Answering;
import weft.serve.ask.Ask;
import weft.serve.ask.Event;
import weft.serve.web.Json;
import weft.serve.web.Visit;

/** The answers of a chat as OpenAI streams them: a chunk for each piece, then the usage. */
final class ChatStream {
  private final Chunks chunks;
  private final Ask ask;
  private final boolean withUsage;
  private final String id = OpenAi.id("chatcmpl");
  private final Instant created = Instant.now(); // of all chunks
  private String model = Ask.FIRST_MODEL;

  ChatStream(Visit visit, Ask ask, boolean withUsage) {
    this.chunks = new Chunks(visit);
    this.ask = ask;
    this.withUsage = withUsage;
  }

  void run(Answering answering) {
    chunks.run(() -> answering.answer(ask, this::hear));
  }

  private void hear(Event event) {
    switch (event) {
      case Event.Begun begun -> begin(begun);
      case Event.Said said -> {
        var chunk = chunk(said.answer(), Json.object().put("content", said.text()));
        if (ask.logprobs() != Request.NO_LOGPROBS) {
          choice(chunk).set("logprobs", ChatAnswer.logprobs(said.chances()));
        }
        send(chunk);
      }
      case Event.Thought thought ->
          send(chunk(thought.answer(), Json.object().put("reasoning_content", thought.text())));
      case Event.CallBegun call -> {
        var begun = ChatAnswer.call(call.id(), call.name(), "");
        send(chunk(call.answer(), calls(call.index(), begun)));
      }
      case Event.CallArguments more -> {
        var function = Json.object();
        function.putObject("function").put("arguments", more.json());
        send(chunk(more.answer(), calls(more.index(), function)));
      }
      case Event.Ended ended -> {
        var chunk = chunk(ended.answer(), Json.object());
        choice(chunk).put("finish_reason", ChatAnswer.reason(ended.end()));
        send(chunk);
      }
      case Event.Spent spent -> {
        if (!withUsage) return;
        var last = ChatAnswer.head(id, created, "chat.completion.chunk", model);
        last.putArray("choices");
        last.set("usage", ChatAnswer.usage(spent.cost()));
        last.set("timings", Timings.of(spent.cost()));
        chunks.send(last);
      }
      case Event.Waiting() -> chunks.waiting();
    }
  }

  private void begin(Event.Begun begun) {
    model = begun.model();
    chunks.begin();
    for (int i = 0; i < ask.count(); i++) {
      var role = Json.object().put("role", "assistant").putNull("content");
      role.putNull("refusal");
      send(chunk(i, role));
    }
  }

  private static ObjectNode calls(int index, ObjectNode call) {
    var delta = Json.object();
    delta.putArray("tool_calls").addObject().put("index", index).setAll(call);
    return delta;
  }

  private ObjectNode chunk(int answer, ObjectNode delta) {
    var chunk = ChatAnswer.head(id, created, "chat.completion.chunk", model);
    var choice = chunk.putArray("choices").addObject();
    choice.put("index", answer);
    choice.set("delta", delta);
    choice.putNull("logprobs");
    choice.putNull("finish_reason");
    return chunk;
  }

  private static ObjectNode choice(ObjectNode chunk) {
    return (ObjectNode) chunk.get("choices").get(0);
  }

  private void send(ObjectNode chunk) {
    if (withUsage) chunk.putNull("usage");
    chunks.send(chunk);
  }
}
