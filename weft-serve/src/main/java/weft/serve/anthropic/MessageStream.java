package weft.serve.anthropic;

import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;
import weft.serve.ask.Answering;
import weft.serve.ask.Ask;
import weft.serve.ask.Event;
import weft.serve.ask.Problem;
import weft.serve.ask.ProblemException;
import weft.serve.web.EventStream;
import weft.serve.web.Json;
import weft.serve.web.Visit;

/** An answer as Anthropic streams it: blocks that begin, grow and stop, one after the other. */
final class MessageStream {
  /** What a block holds. */
  private enum Kind {
    NONE,
    TEXT,
    THINKING,
    CALL
  }

  private final Visit visit;
  private final Ask ask;
  private final boolean withThoughts;
  private Optional<EventStream> events = Optional.empty();
  private Kind kind = Kind.NONE;
  private int index = -1;
  private Optional<Event.Ended> end = Optional.empty();

  MessageStream(Visit visit, Ask ask, boolean withThoughts) {
    this.visit = visit;
    this.ask = ask;
    this.withThoughts = withThoughts;
  }

  void run(Answering answering) {
    try {
      answering.answer(ask, this::hear);
    } catch (ProblemException e) {
      if (events.isEmpty()) throw e;
      visit.remember(e);
      fail(e.problem());
    }
    events.ifPresent(EventStream::close);
  }

  /** The status is sent already; the stream says what went wrong. */
  private void fail(Problem problem) {
    stream().event("error", Anthropic.error(problem, visit.id()).body());
  }

  private void hear(Event event) {
    switch (event) {
      case Event.Begun begun -> begin(begun);
      case Event.Said said -> {
        if (said.text().isEmpty()) return;
        enter(Kind.TEXT, MessageAnswer.text(""));
        delta("text_delta", "text", said.text());
      }
      case Event.Thought thought -> {
        if (!withThoughts) return;
        enter(Kind.THINKING, MessageAnswer.thinking("", ""));
        delta("thinking_delta", "thinking", thought.text());
      }
      case Event.CallBegun call -> {
        leave();
        enter(Kind.CALL, MessageAnswer.call(call.id(), call.name()));
        delta("input_json_delta", "partial_json", "");
      }
      case Event.CallArguments more -> delta("input_json_delta", "partial_json", more.json());
      case Event.Ended ended -> end = Optional.of(ended);
      case Event.Spent spent -> {
        leave();
        var last = event("message_delta");
        var ended = end.orElseThrow();
        var delta = MessageAnswer.end(ended.end(), ended.stop(), spent.cost(), ask);
        last.set("delta", delta.putNull("container"));
        last.set("usage", MessageAnswer.usage(spent.cost()));
        send(last);
        send(event("message_stop"));
      }
      case Event.Waiting() -> events.ifPresent(_ -> send(event("ping")));
    }
  }

  private void begin(Event.Begun begun) {
    events = Optional.of(visit.events());
    var message = MessageAnswer.head(begun.model());
    message.putArray("content");
    message.putNull("stop_reason");
    message.putNull("stop_sequence");
    message.putNull("stop_details");
    message.set("usage", MessageAnswer.usage(begun.promptTokens(), 0));
    var start = event("message_start");
    start.set("message", message);
    send(start);
    send(event("ping"));
  }

  private void enter(Kind next, ObjectNode block) {
    if (kind == next) return;
    leave();
    kind = next;
    index++;
    var start = event("content_block_start").put("index", index);
    start.set("content_block", block);
    send(start);
  }

  private void leave() {
    if (kind == Kind.NONE) return;
    if (kind == Kind.THINKING) {
      delta("signature_delta", "signature", MessageAnswer.SIGNATURE);
    }
    send(event("content_block_stop").put("index", index));
    kind = Kind.NONE;
  }

  private void delta(String type, String field, String text) {
    var event = event("content_block_delta").put("index", index);
    event.putObject("delta").put("type", type).put(field, text);
    send(event);
  }

  private static ObjectNode event(String type) {
    return Json.object().put("type", type);
  }

  private void send(ObjectNode event) {
    stream().event(event.get("type").stringValue(), event);
  }

  private EventStream stream() {
    return events.orElseThrow(() -> new IllegalStateException("the stream has not begun"));
  }
}
