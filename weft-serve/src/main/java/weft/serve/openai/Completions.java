package weft.serve.openai;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import weft.generate.Request;
import weft.generate.Sampling;
import weft.generate.Stops;
import weft.serve.ask.Answering;
import weft.serve.ask.Ask;
import weft.serve.ask.Chance;
import weft.serve.ask.Client;
import weft.serve.ask.Event;
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

  /**
   * What a client wants.
   *
   * @param echoed what comes before each answer, for those who want the prompt back
   * @param scored the chances of its tokens, where those are wanted, too
   * @param isSilent whether that is all: no answer is to follow
   */
  record Wish(List<Ask> asks, List<String> echoed, List<List<Chance>> scored, boolean isSilent) {
    int answers() {
      return asks.size() * asks.getFirst().count();
    }

    /** What an answer begins with. */
    String echo(int answer) {
      return echoed.isEmpty() ? "" : echoed.get(answer);
    }

    List<Chance> echoChances(int answer) {
      return scored.isEmpty() ? List.of() : scored.get(answer);
    }

    boolean hasLogprobs() {
      return asks.getFirst().logprobs() != Request.NO_LOGPROBS;
    }
  }

  void answer(Visit visit) {
    var body = visit.fields();
    boolean withUsage = Aside.withUsage(body);
    if (body.flag("stream").orElse(false)) {
      var wish = wish(body, visit);
      new CompletionStream(visit, wish, withUsage).run(answering);
    } else {
      visit.send(200, whole(body, visit));
    }
  }

  /** The answers in one document. */
  ObjectNode whole(Fields body, Client client) {
    var wish = wish(body, client);
    var whole = new Whole(wish.answers());
    tell(answering, wish, client.watching(whole));
    return CompletionAnswer.document(whole, wish);
  }

  static void tell(Answering answering, Wish wish, Consumer<Event> hearer) {
    if (wish.isSilent) answering.silence(wish.asks, hearer);
    else answering.answer(wish.asks, hearer);
  }

  private Wish wish(Fields body, Client client) {
    if (!body.text("suffix").orElse("").isEmpty()) {
      throw body.unsupported("suffix", "texts go on at their end alone");
    }
    body.text("user");
    int count = body.whole("n", 1, Manner.MOST_ANSWERS).orElse(1);
    if (body.whole("best_of", 1, Manner.MOST_ANSWERS).orElse(count) != count) {
      throw body.unsupported("best_of", "ask for 'n' answers and choose");
    }
    int logprobs = body.whole("logprobs", 0, MOST_ALTERNATIVES).orElse(Request.NO_LOGPROBS);
    boolean isEchoed = body.flag("echo").orElse(false);
    // Who scores texts wants nothing to follow them.
    boolean isSilent = isEchoed && body.whole("max_tokens", 0, Integer.MAX_VALUE).orElse(1) == 0;
    var stops =
        isSilent ? Stops.NONE : Manner.stops(body, List.of("max_tokens", "max_completion_tokens"));
    var sampling = Manner.sampling(body);
    var prompts = prompts(body);
    var asks = new ArrayList<Ask>();
    for (var prompt : prompts) {
      asks.add(
          ask(body, prompt, sampling, logprobs)
              .withStops(stops)
              .withCount(count)
              .withIsolation(client.isolation()));
    }
    boolean isScored = isEchoed && logprobs != Request.NO_LOGPROBS;
    return new Wish(
        asks,
        isEchoed ? echoes(body, prompts, count) : List.of(),
        isScored ? scores(asks, client) : List.of(),
        isSilent);
  }

  private static Ask ask(Fields body, Prompt prompt, Sampling sampling, int logprobs) {
    var ask =
        Ask.of(body.text("model").orElse(Ask.FIRST_MODEL), prompt, sampling)
            .withForm(Forms.read(body))
            .withLogprobs(logprobs);
    return body.flag("ignore_eos").orElse(false) ? ask.ignoringEnds() : ask;
  }

  static List<Prompt> prompts(Fields body) {
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

  private List<List<Chance>> scores(List<Ask> asks, Client client) {
    var scores = new ArrayList<List<Chance>>();
    for (var ask : asks) {
      var chances = answering.chances(ask.model(), ask.prompt(), ask.logprobs(), client);
      for (int i = 0; i < ask.count(); i++) scores.add(chances);
    }
    return scores;
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
