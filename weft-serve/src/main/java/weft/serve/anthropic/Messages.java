package weft.serve.anthropic;

import java.util.List;
import java.util.random.RandomGenerator;
import weft.chat.ChatOptions;
import weft.chat.Tool;
import weft.chat.ToolChoice;
import weft.generate.Sampling;
import weft.generate.Stops;
import weft.serve.ask.Answering;
import weft.serve.ask.Ask;
import weft.serve.ask.Form;
import weft.serve.ask.Prompt;
import weft.serve.ask.Whole;
import weft.serve.web.Fields;
import weft.serve.web.Json;
import weft.serve.web.Visit;

/** {@code /v1/messages} and {@code /v1/messages/count_tokens}. */
final class Messages {
  /** Tools of a request. */
  static final int MOST_TOOLS = 512;

  /** Texts that end an answer. */
  static final int MOST_STOPS = 64;

  /** Of such a text. */
  static final int LONGEST_STOP = 1024;

  /** Messages that the vendor's server remembers. */
  static final String THREAD = "thread";

  private final Answering answering;

  Messages(Answering answering) {
    this.answering = answering;
  }

  void answer(Visit visit) {
    visit.withHeader("request-id", Anthropic.id("req"));
    var body = visit.fields();
    body.required("max_tokens", "a whole number of at least 1");
    var ask = ask(body).withIsolation(visit.isolation());
    boolean isThinking = isThinking(body);
    if (body.flag("stream").orElse(false)) {
      new MessageStream(visit, isThinking).run(answering, ask);
    } else {
      var whole = new Whole(1);
      answering.answer(ask, visit.watching(whole));
      visit.send(200, MessageAnswer.document(whole, isThinking));
    }
  }

  void count(Visit visit) {
    visit.withHeader("request-id", Anthropic.id("req"));
    var ask = ask(visit.fields());
    visit.send(200, Json.object().put("input_tokens", answering.promptTokens(ask)));
  }

  private Ask ask(Fields body) {
    for (var name : List.of("mcp_servers", "container")) {
      if (body.has(name)) throw body.unsupported(name, "this server has none");
    }
    if (body.has(THREAD)) {
      throw body.unsupported(THREAD, "this server keeps no threads; send all messages");
    }
    var options =
        ChatOptions.standard()
            .withTools(tools(body))
            .withToolChoice(choice(body))
            .withThinking(isThinking(body));
    var talk = new Prompt.Talk(MessageReader.read(body, answering.images()), options);
    return Ask.of(body.text("model").orElse(Ask.FIRST_MODEL), talk, sampling(body))
        .withStops(stops(body))
        .withForm(form(body));
  }

  /** As the vendor has it, a model thinks only where it is asked to. */
  private static boolean isThinking(Fields body) {
    return body.object("thinking")
        .flatMap(
            thinking -> {
              thinking.whole("budget_tokens", 1, Integer.MAX_VALUE);
              return thinking.word("type", List.of("enabled", "disabled", "adaptive"));
            })
        .map(type -> !type.equals("disabled"))
        .orElse(false);
  }

  private static Sampling sampling(Fields body) {
    var usual = Sampling.seeded(RandomGenerator.getDefault().nextLong());
    return usual
        .withTemperature(body.number("temperature", 0, 1).orElse(usual.temperature()))
        .withTopP(body.number("top_p", 0, 1).orElse(usual.topP()))
        .withTopK(body.whole("top_k", 0, Integer.MAX_VALUE).orElse(usual.topK()));
  }

  private static Stops stops(Fields body) {
    var most = body.whole("max_tokens", 1, Integer.MAX_VALUE);
    var texts = body.texts("stop_sequences", MOST_STOPS);
    for (var text : texts) {
      if (text.isEmpty() || text.length() > LONGEST_STOP) {
        throw Fields.bad(
            "stop_sequences",
            "a string of " + text.length() + " characters",
            "strings of 1 to " + LONGEST_STOP + " characters");
      }
    }
    var stops = Stops.NONE.withStrings(texts);
    return most.isPresent() ? stops.withMaxTokens(most.getAsInt()) : stops;
  }

  private static List<Tool> tools(Fields body) {
    return body.objects("tools", MOST_TOOLS).stream().map(Messages::tool).toList();
  }

  private static Tool tool(Fields tool) {
    if (!tool.text("type").orElse("custom").equals("custom")) {
      throw tool.unsupported("type", "this server runs no tools itself, clients do");
    }
    tool.required("name", "the name of a tool");
    tool.required("input_schema", "a JSON schema");
    var schema = tool.object("input_schema").orElseThrow();
    var made =
        Tool.of(
            tool.text("name").orElseThrow(),
            tool.text("description").orElse(""),
            Json.map(schema.node()));
    return tool.flag("strict").orElse(false) ? made.strict() : made;
  }

  private static ToolChoice choice(Fields body) {
    var given = body.object("tool_choice");
    if (given.isEmpty()) return ToolChoice.AUTO;
    var choice = given.get();
    choice.required("type", "auto, any, tool or none");
    var made =
        switch (choice.word("type", List.of("auto", "any", "tool", "none")).orElseThrow()) {
          case "any" -> ToolChoice.REQUIRED;
          case "none" -> ToolChoice.NONE;
          case "tool" -> named(body, choice);
          default -> ToolChoice.AUTO;
        };
    if (made.isDemanded() && body.list("tools", MOST_TOOLS).isEmpty()) {
      throw Fields.bad("tools", "none", "a list of tools, since 'tool_choice' demands one");
    }
    return choice.flag("disable_parallel_tool_use").orElse(false) ? made.single() : made;
  }

  private static ToolChoice named(Fields body, Fields choice) {
    choice.required("name", "the name of a tool");
    var name = choice.text("name").orElseThrow();
    boolean isKnown =
        body.objects("tools", MOST_TOOLS).stream()
            .anyMatch(tool -> tool.text("name").orElse("").equals(name));
    if (!isKnown) {
      throw Fields.bad(choice.path("name"), Fields.quoted(name), "the name of one of 'tools'");
    }
    return ToolChoice.named(name);
  }

  private static Form form(Fields body) {
    var format =
        body.object("output_config")
            .flatMap(config -> config.object("format"))
            .or(() -> body.object("output_format"));
    if (format.isEmpty()) return new Form.Free();
    format.get().required("type", "json_schema");
    format.get().word("type", List.of("json_schema"));
    return new Form.Schema(format.get().required("schema", "a JSON schema"));
  }
}
