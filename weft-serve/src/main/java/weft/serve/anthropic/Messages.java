package weft.serve.anthropic;

import java.util.ArrayList;
import java.util.HashSet;
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

  /** Tokens of thinking, at the least; the vendor's own number. */
  static final int LEAST_BUDGET = 1024;

  private static final List<String> EFFORTS = List.of("low", "medium", "high", "xhigh", "max");
  private static final String TOOL_NAME = "[a-zA-Z0-9_-]{1,128}";

  /** Messages that the vendor's server remembers. */
  static final String THREAD = "thread";

  private final Answering answering;

  Messages(Answering answering) {
    this.answering = answering;
  }

  void answer(Visit visit) {
    var body = visit.fields();
    body.required("max_tokens", "a whole number of at least 1");
    var ask = ask(body).withIsolation(visit.isolation());
    boolean isThinking = isThinking(body);
    if (body.flag("stream").orElse(false)) {
      new MessageStream(visit, ask, isThinking).run(answering);
    } else {
      var whole = new Whole(1);
      answering.answer(ask, visit.watching(whole));
      visit.send(200, MessageAnswer.document(whole, ask, isThinking));
    }
  }

  void count(Visit visit) {
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
    body.object("metadata").ifPresent(metadata -> metadata.text("user_id"));
    body.word("service_tier", List.of("auto", "standard_only"));
    var options =
        ChatOptions.standard()
            .withTools(tools(body))
            .withToolChoice(choice(body))
            .withThinking(isThinking(body));
    var effort = body.object("output_config").flatMap(config -> config.word("effort", EFFORTS));
    if (effort.isPresent()) options = options.withVariable("reasoning_effort", effort.get());
    var talk = new Prompt.Talk(MessageReader.read(body, answering.images()), options);
    return Ask.of(body.text("model").orElse(Ask.FIRST_MODEL), talk, sampling(body))
        .withStops(stops(body))
        .withForm(form(body));
  }

  /** As the vendor has it, a model thinks only where it is asked to. */
  private static boolean isThinking(Fields body) {
    var given = body.object("thinking");
    if (given.isEmpty()) return false;
    var thinking = given.get();
    thinking.required("type", "enabled, disabled or adaptive");
    thinking.word("display", List.of("summarized", "omitted"));
    var type = thinking.word("type", List.of("enabled", "disabled", "adaptive")).orElseThrow();
    if (type.equals("enabled")) checkBudget(body, thinking);
    return !type.equals("disabled");
  }

  /** How long a model thinks is its own choice; the vendor's bounds are held all the same. */
  private static void checkBudget(Fields body, Fields thinking) {
    thinking.required("budget_tokens", "a whole number of at least " + LEAST_BUDGET);
    int budget = thinking.whole("budget_tokens", LEAST_BUDGET, Integer.MAX_VALUE).orElseThrow();
    if (budget >= body.whole("max_tokens", 1, Integer.MAX_VALUE).orElse(Integer.MAX_VALUE)) {
      throw Fields.bad(
          thinking.path("budget_tokens"), Integer.toString(budget), "less than 'max_tokens'");
    }
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
    body.list("stop_sequences", MOST_STOPS); // a text alone is none
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
    var tools = new ArrayList<Tool>();
    var names = new HashSet<String>();
    for (var tool : body.objects("tools", MOST_TOOLS)) {
      tools.add(tool(tool));
      if (!names.add(tools.getLast().name())) {
        throw Fields.bad(
            tool.path("name"), Fields.quoted(tools.getLast().name()), "another than those before");
      }
    }
    return tools;
  }

  private static Tool tool(Fields tool) {
    if (!tool.text("type").orElse("custom").equals("custom")) {
      throw tool.unsupported("type", "this server runs no tools itself, clients do");
    }
    tool.required("name", "the name of a tool");
    tool.required("input_schema", "a JSON schema");
    var name = tool.text("name").orElseThrow();
    if (!name.matches(TOOL_NAME)) {
      throw Fields.bad(
          tool.path("name"), Fields.quoted(name), "1 to 128 letters, digits, '_' and '-'");
    }
    var schema = tool.object("input_schema").orElseThrow();
    schema.required("type", "'object'");
    schema.word("type", List.of("object"));
    var made = Tool.of(name, tool.text("description").orElse(""), Json.map(schema.node()));
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
