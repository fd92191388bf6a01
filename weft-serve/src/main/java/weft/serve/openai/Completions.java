package weft.serve.openai;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import weft.generate.Request;
import weft.generate.Sampling;
import weft.serve.ask.Answering;
import weft.serve.ask.Ask;
import weft.serve.ask.Client;
import weft.serve.ask.Prompt;
import weft.serve.ask.Whole;
import weft.serve.web.Fields;
import weft.serve.web.Visit;

/** {@code /v1/completions}: texts that go on. */
final class Completions {
  /** Prompts of a request. */
  static final int MOST_PROMPTS = 256;

  /** Tokens of a prompt. */
  static final int MOST_TOKENS = 1 << 24;

  /** Alternatives that a token names; the vendor's own number. */
  static final int MOST_ALTERNATIVES = 5;

  private final Answering answering;

  Completions(Answering answering) {
    this.answering = answering;
  }

  /** {@code echoed} is what comes before each answer, for those who want the prompt back. */
  record Wish(List<Ask> asks, List<String> echoed) {
    int answers() {
      return asks.size() * asks.getFirst().count();
    }

    boolean hasLogprobs() {
      return asks.getFirst().logprobs() != Request.NO_LOGPROBS;
    }
  }

  void answer(Visit visit) {
    var body = visit.fields();
    if (body.flag("stream").orElse(false)) {
      var wish = wish(body, visit.isolation());
      boolean withUsage =
          body.object("stream_options")
              .flatMap(options -> options.flag("include_usage"))
              .orElse(false);
      new CompletionStream(visit, wish, withUsage).run(answering);
    } else {
      visit.send(200, whole(body, visit));
    }
  }

  /** The answers in one document. */
  ObjectNode whole(Fields body, Client client) {
    var wish = wish(body, client.isolation());
    var whole = new Whole(wish.answers());
    answering.answer(wish.asks, client.watching(whole));
    return CompletionAnswer.document(whole, wish);
  }

  private Wish wish(Fields body, String isolation) {
    if (!body.text("suffix").orElse("").isEmpty()) {
      throw body.unsupported("suffix", "texts go on at their end alone");
    }
    int count = body.whole("n", 1, Manner.MOST_ANSWERS).orElse(1);
    if (body.whole("best_of", 1, Manner.MOST_ANSWERS).orElse(count) != count) {
      throw body.unsupported("best_of", "ask for 'n' answers and choose");
    }
    int logprobs = body.whole("logprobs", 0, MOST_ALTERNATIVES).orElse(Request.NO_LOGPROBS);
    boolean isEchoed = body.flag("echo").orElse(false);
    if (isEchoed && logprobs != Request.NO_LOGPROBS) {
      throw body.unsupported("echo", "not with 'logprobs': prompts have none here");
    }
    var sampling = Manner.sampling(body);
    var prompts = prompts(body);
    var asks = new ArrayList<Ask>();
    for (var prompt : prompts) {
      asks.add(ask(body, prompt, sampling, count, logprobs).withIsolation(isolation));
    }
    return new Wish(asks, isEchoed ? echoes(body, prompts, count) : List.of());
  }

  private static Ask ask(Fields body, Prompt prompt, Sampling sampling, int count, int logprobs) {
    var ask =
        Ask.of(body.text("model").orElse(Ask.FIRST_MODEL), prompt, sampling)
            .withStops(Manner.stops(body, List.of("max_tokens", "max_completion_tokens")))
            .withCount(count)
            .withForm(Forms.read(body))
            .withLogprobs(logprobs);
    return body.flag("ignore_eos").orElse(false) ? ask.ignoringEnds() : ask;
  }

  private static List<Prompt> prompts(Fields body) {
    var allowed = "a string, a list of strings, a list of tokens or a list of such lists";
    var given = body.required("prompt", allowed);
    if (given.isString()) return List.of(new Prompt.Text(given.stringValue()));
    if (!given.isArray() || given.isEmpty()) throw body.wrong("prompt", given, allowed);
    if (given.get(0).isNumber()) return List.of(ids("prompt", given));
    if (given.size() > MOST_PROMPTS) {
      throw Fields.bad("prompt", "a list of " + given.size(), "a list of at most " + MOST_PROMPTS);
    }
    var prompts = new ArrayList<Prompt>();
    for (int i = 0; i < given.size(); i++) {
      var each = given.get(i);
      var path = "prompt[" + i + "]";
      if (each.isString()) {
        prompts.add(new Prompt.Text(each.stringValue()));
      } else if (each.isArray() && !each.isEmpty()) {
        prompts.add(ids(path, each));
      } else {
        throw Fields.bad(path, Fields.met(each), "a string, or a list of tokens");
      }
    }
    return prompts;
  }

  private static Prompt ids(String path, JsonNode list) {
    return new Prompt.Ids(Fields.wholes(path, list, 0, MOST_TOKENS));
  }

  private List<String> echoes(Fields body, List<Prompt> prompts, int count) {
    var echoes = new ArrayList<String>();
    for (var prompt : prompts) {
      var text =
          switch (prompt) {
            case Prompt.Text(String given) -> given;
            case Prompt.Ids ids ->
                answering.text(body.text("model").orElse(Ask.FIRST_MODEL), ids.tokens());
            case Prompt.Talk _ -> "";
          };
      for (int i = 0; i < count; i++) echoes.add(text);
    }
    return echoes;
  }
}
