package weft.serve.openai;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;
import weft.chat.ChatOptions;
import weft.chat.Message;
import weft.chat.Part;
import weft.generate.Request;
import weft.serve.ask.Answering;
import weft.serve.ask.Ask;
import weft.serve.ask.Client;
import weft.serve.ask.Event;
import weft.serve.ask.Form;
import weft.serve.ask.Problem;
import weft.serve.ask.ProblemException;
import weft.serve.ask.Prompt;
import weft.serve.web.EventStream;
import weft.serve.web.Fields;
import weft.serve.web.Json;
import weft.serve.web.Visit;

/** {@code /v1/responses}: answers that may be gone on from, and what is kept of them. */
final class Responses {
  private static final List<String> UNKNOWN = List.of("conversation", "prompt");

  private static final List<String> SUMMARIES = List.of("auto", "concise", "detailed");
  private static final List<String> INCLUDED =
      List.of(
          "message.output_text.logprobs",
          "message.input_image.image_url",
          "reasoning.encrypted_content",
          "file_search_call.results",
          "web_search_call.results",
          "web_search_call.action.sources",
          "computer_call_output.output.image_url",
          "code_interpreter_call.outputs");

  /** Items of a page, unless a client says how many; both are the vendor's numbers. */
  private static final int USUAL_PAGE = 20;

  private static final int LARGEST_PAGE = 100;

  private final Answering answering;
  private final ResponseStore store = new ResponseStore();

  Responses(Answering answering) {
    this.answering = answering;
  }

  /** What is asked, and what of it is kept. */
  private record Asked(Ask ask, ResponseInput input) {}

  void create(Visit visit) {
    var body = visit.fields();
    if (body.flag("stream").orElse(false)) {
      stream(visit, body);
    } else {
      visit.send(200, whole(body, visit));
    }
  }

  /** The answer in one document. */
  ObjectNode whole(Fields body, Client client) {
    var asked = asked(client, body, store);
    var writer = new ResponseWriter(head(body, asked), asked.ask, _ -> {});
    answering.answer(asked.ask, client.watching(writer));
    keep(body, asked, writer.response(), store);
    return writer.response();
  }

  /** What is kept for all clients. */
  ResponsePast stored() {
    return store;
  }

  /**
   * Answers with events.
   *
   * @param past what may be gone on from
   * @param waiting called now and then while there are none
   * @return what broke the answer off, of which the last event tells
   */
  Optional<ProblemException> answer(
      Fields body,
      Client client,
      ResponsePast past,
      Consumer<ObjectNode> events,
      Runnable waiting) {
    var asked = asked(client, body, past);
    var writer = new ResponseWriter(head(body, asked), asked.ask, events);
    try {
      if (body.flag("generate").orElse(true)) {
        answering.answer(
            asked.ask,
            event -> {
              if (event instanceof Event.Waiting) waiting.run();
              writer.accept(event);
            });
      } else {
        writer.sayNothing(answering.promptTokens(asked.ask));
      }
      keep(body, asked, writer.response(), past);
      return Optional.empty();
    } catch (ProblemException e) {
      if (!writer.isBegun()) throw e;
      writer.fail(e.problem());
      return Optional.of(e);
    }
  }

  private static ObjectNode head(Fields body, Asked asked) {
    var id = "resp_" + OpenAi.id("").substring(1);
    return ResponseHead.document(id, body, asked.ask);
  }

  private void stream(Visit visit, Fields body) {
    var stream = new Streamed(visit);
    answer(body, visit, store, stream::send, stream::beat).ifPresent(visit::remember);
    stream.end();
  }

  /** Events as they come, each by its name. */
  private static final class Streamed {
    private final Visit visit;
    private Optional<EventStream> events = Optional.empty();

    Streamed(Visit visit) {
      this.visit = visit;
    }

    void send(ObjectNode event) {
      if (events.isEmpty()) events = Optional.of(visit.events());
      events.get().event(event.get("type").stringValue(), event);
    }

    void beat() {
      events.ifPresent(EventStream::comment);
    }

    void end() {
      events.ifPresent(
          open -> {
            open.data("[DONE]");
            open.close();
          });
    }
  }

  private Asked asked(Client client, Fields body, ResponsePast past) {
    for (var name : UNKNOWN) {
      if (body.has(name)) throw body.unsupported(name, "send 'input' and 'previous_response_id'");
    }
    if (body.flag("background").orElse(false)) {
      throw body.unsupported("background", "this server answers while the client waits");
    }
    check(body);
    var input = input(body, past);
    var messages = new ArrayList<Message>();
    body.text("instructions").ifPresent(text -> messages.add(Message.system(text)));
    messages.addAll(input.messages());
    var options = ChatTools.read(body, thinking(body));
    var ask =
        Ask.of(
                body.text("model").orElse(Ask.FIRST_MODEL),
                new Prompt.Talk(messages, options),
                Manner.sampling(body))
            .withStops(Manner.stops(body, List.of("max_output_tokens")))
            .withForm(form(body))
            .withLogprobs(logprobs(body))
            .withIsolation(client.isolation());
    boolean isCut =
        body.word("truncation", List.of("auto", "disabled")).map("auto"::equals).orElse(false);
    return new Asked(isCut ? fitted(ask, messages, options) : ask, input);
  }

  private ResponseInput input(Fields body, ResponsePast past) {
    var earlier = body.text("previous_response_id").map(id -> previous(id, past));
    return ResponseInput.read(
        body,
        earlier.map(ResponseStore.Kept::messages).orElse(List.of()),
        store::item,
        answering.images());
  }

  /** What an answer does not depend on, but must be as the vendor has it. */
  private static void check(Fields body) {
    Aside.check(body);
    Aside.withUsage(body);
    body.whole("max_tool_calls", 1, Integer.MAX_VALUE);
    body.object("reasoning").ifPresent(reasoning -> reasoning.word("summary", SUMMARIES));
    for (var included : body.texts("include", ChatMessages.MOST_PARTS)) {
      if (!INCLUDED.contains(included)) {
        throw Fields.bad("include", Fields.quoted(included), "some of " + INCLUDED);
      }
    }
  }

  /** Without the oldest of what was said, as far as the context wants it. */
  private Ask fitted(Ask ask, List<Message> messages, ChatOptions options) {
    var fitted = ask;
    while (true) {
      try {
        answering.promptTokens(fitted);
        return fitted;
      } catch (ProblemException e) {
        if (!(e.problem() instanceof Problem.ContextExceeded) || messages.size() < 2) throw e;
        int first = messages.getFirst().role().equals(Message.SYSTEM) ? 1 : 0;
        int count = Math.min(Math.max(1, messages.size() / 8), messages.size() - 1 - first);
        if (count < 1) throw e;
        messages.subList(first, first + count).clear();
        fitted = ask.withPrompt(new Prompt.Talk(messages, options));
      }
    }
  }

  private static ChatOptions thinking(Fields body) {
    var effort =
        body.object("reasoning")
            .flatMap(reasoning -> reasoning.word("effort", ChatThinking.EFFORTS));
    return effort
        .map(
            each ->
                ChatOptions.standard()
                    .withVariable("reasoning_effort", each)
                    .withThinking(!each.equals("none")))
        .orElse(ChatOptions.standard());
  }

  private static Form form(Fields body) {
    var format = body.object("text").flatMap(text -> text.object("format"));
    if (format.isEmpty()) return new Form.Free();
    var fields = format.get();
    fields.required("type", "text, json_object or json_schema");
    return switch (fields
        .word("type", List.of("text", "json_object", "json_schema"))
        .orElseThrow()) {
      case "json_object" -> new Form.AnyObject();
      case "json_schema" -> new Form.Schema(fields.required("schema", "a JSON schema"));
      default -> new Form.Free();
    };
  }

  private static int logprobs(Fields body) {
    var most = body.whole("top_logprobs", 0, ChatCompletions.MOST_LOGPROBS);
    boolean isIncluded =
        body.texts("include", ChatMessages.MOST_PARTS).contains("message.output_text.logprobs");
    return most.isPresent() && most.getAsInt() > 0 || isIncluded
        ? most.orElse(0)
        : Request.NO_LOGPROBS;
  }

  private static void keep(Fields body, Asked asked, ObjectNode response, ResponsePast past) {
    var messages = new ArrayList<>(asked.input.messages());
    answer(response).ifPresent(messages::add);
    var kept = new ResponseStore.Kept(response.deepCopy(), messages, asked.input.items());
    past.keep(response.get("id").stringValue(), kept, ResponseHead.isStored(body));
  }

  /** What the model said, as a message of the chat; empty where it was not to say anything. */
  private static Optional<Message> answer(ObjectNode response) {
    var parts = new ArrayList<Part>();
    for (var item : response.get("output").values()) {
      switch (item.get("type").stringValue()) {
        case "reasoning" -> parts.add(new Part.Thought(item.at("/summary/0/text").asString("")));
        case "message" -> parts.add(new Part.Text(item.at("/content/0/text").asString("")));
        default ->
            Part.Call.of(
                    item.get("call_id").stringValue(),
                    item.get("name").stringValue(),
                    item.get("arguments").stringValue())
                .ifPresent(parts::add);
      }
    }
    return parts.isEmpty()
        ? Optional.empty()
        : Optional.of(Message.of(Message.ASSISTANT, parts.toArray(Part[]::new)));
  }

  private ResponseStore.Kept kept(String id) {
    return store
        .find(id)
        .orElseThrow(
            () -> new ProblemException(new Problem.NotFound("response " + Fields.quoted(id))));
  }

  /** One to go on from: that it is gone is said of the field. */
  private static ResponseStore.Kept previous(String id, ResponsePast past) {
    return past.find(id).orElseThrow(() -> new ProblemException(new Problem.UnknownPrevious(id)));
  }

  void count(Visit visit) {
    var asked = asked(visit, visit.fields(), store);
    var count = Json.object().put("object", "response.input_tokens");
    visit.send(200, count.put("input_tokens", answering.promptTokens(asked.ask)));
  }

  void find(Visit visit) {
    if (visit.query("stream").map("true"::equals).orElse(false)) {
      throw new ProblemException(
          new Problem.Unsupported("stream", "what is kept is the response, not its events"));
    }
    visit.send(200, kept(visit.parameter("id")).document());
  }

  void delete(Visit visit) {
    var id = visit.parameter("id");
    kept(id);
    store.forget(id);
    visit.send(200, Json.object().put("id", id).put("object", "response").put("deleted", true));
  }

  void compact(Visit visit) {
    var body = visit.fields();
    body.required("model", "the name of a model");
    body.text("prompt_cache_key");
    var input = input(body, store);
    visit.send(200, ResponseCompaction.of(answering, body, input.messages(), visit));
  }

  /** All is answered while the client waits, so that there is nothing to cancel. */
  void cancel(Visit visit) {
    kept(visit.parameter("id"));
    throw Fields.bad("id", "a response that is complete", "one that runs in the background");
  }

  void inputItems(Visit visit) {
    var items = kept(visit.parameter("id")).input();
    var query = visit.queried(List.of("order", "after"), List.of("limit"));
    boolean isRising = query.word("order", List.of("asc", "desc")).map("asc"::equals).orElse(false);
    var ordered = isRising ? items : items.reversed();
    int first = query.text("after").map(id -> indexOf(ordered, id) + 1).orElse(0);
    int count = query.whole("limit", 1, LARGEST_PAGE).orElse(USUAL_PAGE);
    int end = Math.min(ordered.size(), first + count);
    var page = ordered.subList(first, end);
    var list = Json.object().put("object", "list");
    var data = list.putArray("data");
    page.forEach(data::add);
    list.put("first_id", page.isEmpty() ? "" : page.getFirst().get("id").stringValue());
    list.put("last_id", page.isEmpty() ? "" : page.getLast().get("id").stringValue());
    list.put("has_more", end < ordered.size());
    visit.send(200, list);
  }

  private static int indexOf(List<ObjectNode> items, String id) {
    for (int i = 0; i < items.size(); i++) {
      if (items.get(i).get("id").stringValue().equals(id)) return i;
    }
    throw Fields.bad("after", Fields.quoted(id), "the id of one of the items");
  }
}
