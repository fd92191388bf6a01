package weft.serve.llama;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import weft.generate.Request;
import weft.serve.ask.Answering;
import weft.serve.ask.Ask;
import weft.serve.ask.Chance;
import weft.serve.ask.Cost;
import weft.serve.ask.Event;
import weft.serve.ask.ProblemException;
import weft.serve.ask.Whole;
import weft.serve.openai.Timings;
import weft.serve.web.EventStream;
import weft.serve.web.Fields;
import weft.serve.web.Json;
import weft.serve.web.Visit;

/** {@code /completion}: a text that goes on, as llama.cpp's clients ask for it. */
final class Completion {
  private final Answering answering;

  Completion(Answering answering) {
    this.answering = answering;
  }

  void answer(Visit visit) {
    var body = visit.fields();
    var asks = new ArrayList<Ask>();
    for (var ask : Manner.asks(body)) asks.add(ask.withIsolation(visit.isolation()));
    if (body.flag("stream").orElse(false)) {
      if (asks.size() > 1) throw Fields.bad("prompt", "several", "one where 'stream' is true");
      new Streamed(visit, asks.getFirst()).run();
      return;
    }
    var whole = new ArrayList<JsonNode>();
    for (var ask : asks) {
      var heard = new Whole(1);
      answering.answer(ask, visit.watching(heard));
      whole.add(document(heard, ask, whole.size()));
    }
    if (whole.size() == 1) visit.send(200, whole.getFirst());
    else visit.send(200, Json.array().addAll(whole));
  }

  private static ObjectNode document(Whole whole, Ask ask, int index) {
    var answer = whole.answers().getFirst();
    var document = Json.object().put("index", index).put("content", answer.text());
    document.put("model", whole.model());
    document.setAll(end(answer.end(), answer.stop(), whole.cost()));
    if (ask.logprobs() != Request.NO_LOGPROBS) {
      document.set("completion_probabilities", probabilities(answer.chances()));
    }
    return document;
  }

  private static ObjectNode end(Event.End end, String stop, Cost cost) {
    var kind =
        switch (end) {
          case LENGTH -> "limit";
          case STOP -> stop.isEmpty() ? "eos" : "word";
          case CALLS, CANCELLED -> "none";
        };
    var document = Json.object().put("stop", true).put("stop_type", kind);
    document.put("stopping_word", stop);
    document.put("truncated", false);
    document.put("tokens_predicted", cost.answerTokens());
    document.put("tokens_evaluated", cost.promptTokens());
    document.put("tokens_cached", cost.cachedTokens());
    document.set("timings", Timings.of(cost));
    return document;
  }

  private static JsonNode probabilities(List<Chance> chances) {
    var list = Json.array();
    for (var chance : chances) {
      var entry = entry(chance);
      var top = entry.putArray("top_logprobs");
      chance.alternatives().forEach(other -> top.add(entry(other)));
      list.add(entry);
    }
    return list;
  }

  private static ObjectNode entry(Chance chance) {
    var entry = Json.object().put("id", chance.token()).put("token", chance.text());
    var bytes = entry.putArray("bytes");
    for (byte value : chance.bytes()) bytes.add(value & 0xFF);
    return entry.put("logprob", Math.max(chance.logprob(), -9999)); // JSON has no infinity
  }

  /** A chunk for each piece, the last with what all of it took. */
  private final class Streamed {
    private final Visit visit;
    private final Ask ask;
    private Optional<EventStream> events = Optional.empty();
    private Optional<Event.Ended> ended = Optional.empty();
    private String model = "";

    Streamed(Visit visit, Ask ask) {
      this.visit = visit;
      this.ask = ask;
    }

    void run() {
      try {
        answering.answer(ask, this::hear);
      } catch (ProblemException e) {
        if (events.isEmpty()) throw e;
        visit.remember(e);
        events.get().data(LlamaCpp.error(e.problem()).body());
      } finally {
        events.ifPresent(EventStream::close);
      }
    }

    private void hear(Event event) {
      switch (event) {
        case Event.Begun begun -> {
          model = begun.model();
          events = Optional.of(visit.events());
        }
        case Event.Said said -> {
          var chunk = Json.object().put("index", 0).put("content", said.text());
          if (ask.logprobs() != Request.NO_LOGPROBS) {
            chunk.set("completion_probabilities", probabilities(said.chances()));
          }
          send(chunk.put("stop", false));
        }
        case Event.Ended end -> ended = Optional.of(end);
        case Event.Spent spent -> {
          var end = ended.orElseThrow();
          var last = Json.object().put("index", 0).put("content", "").put("model", model);
          last.setAll(end(end.end(), end.stop(), spent.cost()));
          send(last);
        }
        case Event.Waiting() -> events.ifPresent(EventStream::comment);
        case Event.Thought _, Event.CallBegun _, Event.CallArguments _ -> {}
      }
    }

    private void send(ObjectNode chunk) {
      events.orElseThrow().data(chunk);
    }
  }
}
