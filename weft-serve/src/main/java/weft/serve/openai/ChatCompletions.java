package weft.serve.openai;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;
import weft.generate.Request;
import weft.serve.ask.Answering;
import weft.serve.ask.Ask;
import weft.serve.ask.Client;
import weft.serve.ask.Whole;
import weft.serve.web.Fields;
import weft.serve.web.Json;
import weft.serve.web.Visit;

/** {@code /v1/chat/completions}. */
final class ChatCompletions {
  /** Alternatives that a token names. */
  static final int MOST_LOGPROBS = 20;

  private final Answering answering;

  ChatCompletions(Answering answering) {
    this.answering = answering;
  }

  void answer(Visit visit) {
    var body = visit.fields();
    boolean withUsage = Aside.withUsage(body);
    if (body.flag("stream").orElse(false)) {
      var ask = ask(body).withIsolation(visit.isolation());
      new ChatStream(visit, ask, withUsage).run(answering);
    } else {
      visit.send(200, whole(body, visit));
    }
  }

  /** How many tokens its prompt has, without an answer. */
  void count(Visit visit) {
    int tokens = answering.promptTokens(ask(visit.fields()));
    visit.send(200, Json.object().put("input_tokens", tokens));
  }

  /** The answer in one document. */
  ObjectNode whole(Fields body, Client client) {
    var ask = ask(body).withIsolation(client.isolation());
    var whole = new Whole(ask.count());
    answering.answer(ask, client.watching(whole));
    return ChatAnswer.document(whole, ask);
  }

  private Ask ask(Fields body) {
    for (var name : List.of("audio", "web_search_options")) {
      if (body.has(name)) throw body.unsupported(name, "this server answers with text alone");
    }
    for (var kind : body.texts("modalities", 4)) {
      if (!kind.equals("text")) throw Fields.bad("modalities", Fields.quoted(kind), "text alone");
    }
    Aside.check(body);
    body.word("verbosity", Aside.VERBOSITIES);
    return Ask.of(
            body.text("model").orElse(Ask.FIRST_MODEL),
            ChatRequest.talk(body, answering.images()),
            Manner.sampling(body))
        .withStops(Manner.stops(body, List.of("max_completion_tokens", "max_tokens")))
        .withCount(body.whole("n", 1, Manner.MOST_ANSWERS).orElse(1))
        .withForm(Forms.read(body))
        .withLogprobs(logprobs(body));
  }

  private static int logprobs(Fields body) {
    int alternatives = body.whole("top_logprobs", 0, MOST_LOGPROBS).orElse(0);
    boolean isWanted = body.flag("logprobs").orElse(false);
    if (alternatives > 0 && !isWanted) {
      throw Fields.bad("top_logprobs", "a number", "absent, unless 'logprobs' is true");
    }
    return isWanted ? alternatives : Request.NO_LOGPROBS;
  }
}
