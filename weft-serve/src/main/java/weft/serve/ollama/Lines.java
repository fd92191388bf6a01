package weft.serve.ollama;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import weft.serve.ask.Answering;
import weft.serve.ask.Ask;
import weft.serve.ask.Chance;
import weft.serve.ask.Cost;
import weft.serve.ask.Event;
import weft.serve.ask.ProblemException;
import weft.serve.web.EventStream;
import weft.serve.web.Json;
import weft.serve.web.Visit;

/** An answer as Ollama writes it: a line for each piece, or one for all of them. */
final class Lines {
  /** Where a line has its text. */
  enum Shape {
    CHAT,
    GENERATE
  }

  static final Shape CHAT = Shape.CHAT;
  static final Shape GENERATE = Shape.GENERATE;

  private final Shape shape;
  private final boolean withThoughts;
  private final long start = System.nanoTime();
  private final StringBuilder arguments = new StringBuilder();
  private Optional<Event.CallBegun> call = Optional.empty();
  private String model = "";
  private String reason = "stop";

  Lines(Shape shape, boolean withThoughts) {
    this.shape = shape;
    this.withThoughts = withThoughts;
  }

  /** The answer to nothing, and what was done instead. */
  static ObjectNode empty(String model, Shape shape, String reason) {
    var line = line(model, shape, "", "");
    line.put("done", true);
    line.put("done_reason", reason);
    return line;
  }

  void stream(Visit visit, Answering answering, Ask ask) {
    var out = new Streamed(visit);
    try {
      answering.answer(ask, visit.watching(event -> hear(event, out)));
    } catch (ProblemException e) {
      if (out.events.isEmpty()) throw e;
      visit.remember(e);
      out.accept(Json.object().put("error", e.problem().sentence()));
    }
    out.events.ifPresent(EventStream::close);
  }

  void whole(Visit visit, Answering answering, Ask ask) {
    var out = new Gathered();
    answering.answer(ask, visit.watching(event -> hear(event, out)));
    visit.send(200, out.document());
  }

  private void hear(Event event, Consumer<ObjectNode> out) {
    switch (event) {
      case Event.Begun begun -> model = begun.model();
      case Event.Said said -> {
        if (said.text().isEmpty() && said.chances().isEmpty()) return;
        var line = open(line(model, shape, said.text(), ""));
        if (!said.chances().isEmpty()) line.set("logprobs", logprobs(said.chances()));
        out.accept(line);
      }
      case Event.Thought thought -> {
        if (withThoughts) out.accept(open(line(model, shape, "", thought.text())));
      }
      case Event.CallBegun begun -> {
        endCall(out);
        call = Optional.of(begun);
      }
      case Event.CallArguments more -> arguments.append(more.json());
      case Event.Ended ended -> {
        endCall(out);
        reason = ended.end() == Event.End.LENGTH ? "length" : "stop";
      }
      case Event.Spent spent -> out.accept(last(spent.cost()));
      case Event.Waiting() -> {} // a line of nothing would be a line that no client reads
    }
  }

  private static ObjectNode open(ObjectNode line) {
    return line.put("done", false);
  }

  private static ArrayNode logprobs(List<Chance> chances) {
    var list = Json.array();
    for (var chance : chances) {
      var entry = entry(chance);
      if (!chance.alternatives().isEmpty()) {
        var top = entry.putArray("top_logprobs");
        chance.alternatives().forEach(other -> top.add(entry(other)));
      }
      list.add(entry);
    }
    return list;
  }

  private static ObjectNode entry(Chance chance) {
    var entry = Json.object().put("token", chance.text());
    entry.put("logprob", Math.max(chance.logprob(), -9999)); // JSON has no infinity
    var bytes = entry.putArray("bytes");
    for (byte value : chance.bytes()) bytes.add(value & 0xFF);
    return entry;
  }

  /** Calls come whole. */
  private void endCall(Consumer<ObjectNode> out) {
    if (call.isEmpty()) return;
    var line = line(model, shape, "", "");
    var calls = place(line).putArray("tool_calls");
    var made = calls.addObject().put("id", call.get().id());
    var function = made.putObject("function");
    function.put("index", call.get().index()).put("name", call.get().name());
    function.set("arguments", Json.objectOr(arguments.toString(), Json.object()));
    out.accept(open(line));
    call = Optional.empty();
    arguments.setLength(0);
  }

  private ObjectNode last(Cost cost) {
    var line = line(model, shape, "", "");
    line.put("done", true);
    line.put("done_reason", reason);
    line.put("total_duration", System.nanoTime() - start);
    line.put("load_duration", cost.loading().toNanos());
    line.put("prompt_eval_count", cost.promptTokens());
    line.put("prompt_eval_duration", cost.prefill().toNanos());
    line.put("eval_count", cost.answerTokens());
    line.put("eval_duration", cost.decode().toNanos());
    return line;
  }

  private static ObjectNode line(String model, Shape shape, String text, String thought) {
    var line = Json.object().put("model", model).put("created_at", Instant.now().toString());
    switch (shape) {
      case CHAT -> line.putObject("message").put("role", "assistant").put("content", text);
      case GENERATE -> line.put("response", text);
    }
    if (!thought.isEmpty()) place(line).put("thinking", thought);
    return line;
  }

  /** Where a line says more than its text. */
  private static ObjectNode place(ObjectNode line) {
    return line.get("message") instanceof ObjectNode message ? message : line;
  }

  /** Lines as they come. */
  private static final class Streamed implements Consumer<ObjectNode> {
    private final Visit visit;
    private Optional<EventStream> events = Optional.empty();

    Streamed(Visit visit) {
      this.visit = visit;
    }

    @Override
    public void accept(ObjectNode line) {
      if (events.isEmpty()) events = Optional.of(visit.lines());
      events.get().line(line);
    }
  }

  /** Lines put together to the last of them. */
  private static final class Gathered implements Consumer<ObjectNode> {
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder thought = new StringBuilder();
    private final ArrayNode calls = Json.array();
    private final ArrayNode logprobs = Json.array();
    private ObjectNode last = Json.object();

    @Override
    public void accept(ObjectNode line) {
      var place = place(line);
      text.append(place.path(name(line)).asString(""));
      thought.append(place.path("thinking").asString(""));
      calls.addAll(place.path("tool_calls").values());
      logprobs.addAll(line.path("logprobs").values());
      last = line;
    }

    private static String name(ObjectNode line) {
      return line.has("message") ? "content" : "response";
    }

    ObjectNode document() {
      var place = place(last);
      place.put(name(last), text.toString());
      if (!thought.isEmpty()) place.put("thinking", thought.toString());
      if (!calls.isEmpty()) place.set("tool_calls", calls);
      if (!logprobs.isEmpty()) last.set("logprobs", logprobs);
      return last;
    }
  }
}
